import { copyFileSync, rmSync } from 'node:fs'
import type { Config } from '@engine/core'
import { eachStore, type TestStore } from '@engine/test-stores'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Accounts, type CallOptions, masterKey, openAccounts } from '../support/accounts.ts'

/** Changes under load; 1 000 for a long run. */
const changes = Number(process.env['ENGINE_CONFIG_CHANGES'] ?? 200)

const config: Partial<Config> = {
  mode: 'interactive',
  pgWire: { port: 0, auth: { strategy: ['apiKey'] }, overflow: 'cut' },
}

const admin = (node: Accounts, method: string, path: string, options: CallOptions = {}) =>
  node.call(method, `/admin/api${path}`, { token: masterKey, ...options })
const change = async (node: Accounts, method: string, path: string, body: unknown) => {
  const answer = await admin(node, method, `/config${path}`, { body, headers: { 'if-match': '*' } })
  expect(answer).toMatchObject({ status: 200 })
}

/** Two configurations that any answer tells apart, and any mixture of them from both. */
const small = {
  permissions: { notes: { table: 'main.notes', roles: ['r'], select: { columns: ['id'] } } },
  limits: { maxRows: 1 },
}
const large = {
  permissions: {
    notes: { table: 'main.notes', roles: ['r'], select: { columns: ['id', 'note'] } },
  },
  limits: { maxRows: 2 },
}
const rowsOf = {
  small: [[1]],
  large: [
    [1, 'one'],
    [2, 'two'],
  ],
} as const

eachStore('nodes of a stored configuration', (open, kind) => {
  let database: TestStore
  let nodes: readonly [Accounts, Accounts]
  let key: string

  beforeEach(async () => {
    database = await open()
    const options = { serviceDatabase: database.url, config }
    const one = await openAccounts({}, options)
    one.execute("insert into notes values (1, 'a', 'one'), (2, 'b', 'two'), (3, 'c', 'three')")
    nodes = [one, await openAccounts({}, options)]
    await change(one, 'PATCH', '', small)
    const made = await admin(one, 'POST', '/api-keys', { body: { name: 'k', roles: ['r'] } })
    key = made.body.apiKey.key
  })
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await database.remove()
  })

  const read = async (node: Accounts) => {
    const body = { sql: 'select * from main.notes order by id', params: [], method: 'all' }
    const answer = await node.call('POST', '/data', { token: key, body })
    expect(answer).toMatchObject({ status: 200 })
    return answer.body.rows
  }

  test('a change on one holds on the other for its next request', async () => {
    const [one, two] = nodes
    expect(await read(two)).toEqual(rowsOf.small)
    await change(one, 'PATCH', '', large)
    expect(await read(two)).toEqual(rowsOf.large)
    await change(two, 'PATCH', '', small)
    expect(await read(one)).toEqual(rowsOf.small)
    const revision = 4
    expect((await admin(one, 'GET', '/status')).body.configuration).toMatchObject({ revision })
  })

  test('of two changes of one revision on two nodes, one is refused with the changes of the other', async () => {
    const etag = (await admin(nodes[0], 'GET', '/config')).headers.get('etag') ?? ''
    const answers = await Promise.all(
      nodes.map((node, i) =>
        admin(node, 'PATCH', '/config/limits', {
          body: { maxRows: i + 5 },
          headers: { 'if-match': etag },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body.details.changes).toMatchObject([{ path: 'limits.maxRows', before: 1 }])
  })

  test('a node that cannot apply the newest revision answers 503, but to administrators', async () => {
    const [, two] = nodes
    const saved = (await admin(two, 'GET', '/config/export')).body
    const { store } = two.gateway
    const table = store?.database
    await table
      ?.updateTable('engine_config')
      .set({ document: '{"permissions":{"a":{}}}' })
      .execute()
    await table
      ?.updateTable('engine_config')
      .set({ revision: 9 })
      .where('revision', '=', 2)
      .execute()
    const body = { sql: 'select 1', params: [], method: 'all' }
    expect(await two.call('POST', '/data', { token: key, body })).toMatchObject({ status: 503 })
    expect(await two.call('GET', '/health/live')).toMatchObject({ status: 200 })
    const { configuration } = (await admin(two, 'GET', '/status')).body
    expect(configuration).toMatchObject({ revision: 2, failure: { revision: 9 } })
    expect(two.log.join('\n')).toContain('the newest configuration cannot be applied')
    await change(two, 'POST', '/import', saved)
    expect((await admin(two, 'GET', '/status')).body.configuration).toMatchObject({
      revision: 10,
      failure: null,
    })
  })

  if (kind === 'sqlite') {
    test('a new database that a node cannot reach refuses only the statements on it', async () => {
      const [one, two] = nodes
      const { connections } = (await admin(one, 'GET', '/config/export')).body
      const extra = `${connections.main}.copy.db`
      copyFileSync(connections.main, extra)
      const select = { columns: ['id'] }
      await change(one, 'PATCH', '', {
        connections: { extra },
        permissions: { extra: { table: 'extra.notes', roles: ['r'], select } },
      })
      rmSync(extra)
      expect(await read(two)).toEqual(rowsOf.small)
      const body = { sql: 'select id from extra.notes', params: [], method: 'all' }
      expect(await two.call('POST', '/data', { token: key, body })).toMatchObject({ status: 503 })
      const { configuration, connections: states } = (await admin(two, 'GET', '/status')).body
      expect(configuration).toMatchObject({ revision: 3, failure: null })
      expect(states).toMatchObject({ main: { isUp: true }, extra: { isUp: false } })
    })
  }

  if (kind === 'postgres' || kind === 'sqlite') {
    test('a change holds for the next statement of a wire session, and not within a transaction', async () => {
      const [one, two] = nodes
      const { address } = await two.gateway.engine.startPgWire()
      const [host = '', port] = address.split(':')
      const client = new pg.Client({
        host,
        port: Number(port),
        user: 'k',
        password: key,
        database: 'main',
      })
      await client.connect()
      try {
        const values = async () => {
          const text = 'select * from notes order by id'
          const { rows } = await client.query({ text, rowMode: 'array' })
          return rows
        }
        expect(await values()).toHaveLength(1)
        await change(one, 'PATCH', '', large)
        expect(await values()).toEqual(rowsOf.large)
        await client.query('begin')
        expect(await values()).toEqual(rowsOf.large)
        await change(one, 'PATCH', '', small)
        expect(await values()).toEqual(rowsOf.large)
        await client.query('commit')
        expect(await values()).toEqual(rowsOf.small)
        await change(one, 'PATCH', '/permissions', { notes: null })
        await expect(values()).rejects.toMatchObject({ code: '42501' })
      } finally {
        await client.end()
      }
    })
  }

  if (kind === 'postgres') {
    test(`${changes} changes under load: each holds for the next request, and no answer mixes two`, async () => {
      const [one, two] = nodes
      let isDone = false
      let answers = 0
      const texts = new Set(Object.values(rowsOf).map((rows) => JSON.stringify(rows)))
      const client = async (node: Accounts) => {
        while (!isDone) {
          const rows = JSON.stringify(await read(node))
          if (!texts.has(rows)) throw new Error(`a mixture: ${rows}`)
          answers += 1
        }
      }
      const clients = [one, two, one, two].map(client)
      try {
        for (let i = 0; i < changes; i += 1) {
          const [by, other] = i % 3 === 0 ? [two, one] : [one, two]
          const isSmall = i % 2 === 1
          await change(by, 'PATCH', '', isSmall ? small : large)
          expect(await read(other)).toEqual(isSmall ? rowsOf.small : rowsOf.large)
        }
      } finally {
        isDone = true
      }
      await Promise.all(clients)
      expect(answers).toBeGreaterThan(changes)
    }, 600_000)
  }
})
