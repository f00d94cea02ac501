import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type Accounts, masterKey, openAccounts } from '../support/accounts.ts'

const password = 'pa55w0rd-of-shop'

describePostgres('a stored password', () => {
  let node: Accounts
  let url: string
  let role: string
  let runAsOwner: (sql: string) => Promise<void>

  beforeEach(async () => {
    const owner = await createDatabase('stored')
    const database = new URL(owner)
    database.username = `stored_${randomBytes(6).toString('hex')}`
    database.password = password
    url = database.href
    runAsOwner = async (sql) => {
      const client = new pg.Client({ connectionString: owner })
      await client.connect()
      await client.query(sql).finally(() => client.end())
    }
    role = database.username
    await runAsOwner(`create role ${role} login password '${password}'`)
    node = await openAccounts({}, { config: { mode: 'interactive', audit: { enabled: true } } })
  })
  afterEach(async () => {
    await node.close()
    await runAsOwner(`drop role ${role}`)
  })

  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { 'if-match': '*' }
    const input = { token: masterKey, headers, ...(body === undefined ? {} : { body }) }
    return node.call(method, `/admin/api${path}`, input)
  }

  test('a stored password is used, and shown nowhere: answers, log, audit, file', async () => {
    const masked = url.replace(password, '***')
    const stored = await call('PUT', '/config/connections/shop', { url, readOnly: true })
    expect(stored.body.changes).toEqual([
      { path: 'connections.shop', after: { url: masked, readOnly: true } },
    ])
    const tested = await call('POST', '/config/connections/shop/test', {})
    expect(tested.body).toMatchObject({ isUp: true, kind: 'postgres', canWrite: false, tables: 0 })
    expect(tested.body.version).toMatch(/^PostgreSQL /)
    const again = await call('PUT', '/config/connections/shop', { url: masked, readOnly: false })
    expect(again.body.changes).toEqual([
      { path: 'connections.shop.readOnly', before: true, after: false },
    ])
    const other = masked.replace(/@[^/]*/, '@127.0.0.2:1')
    const moved = await call('PUT', '/config/connections/shop', other)
    expect(moved).toMatchObject({
      status: 422,
      body: { details: { faults: [{ path: 'connections.shop' }] } },
    })
    expect(
      await call('POST', '/config/connections/shop/test', { connection: other }),
    ).toMatchObject({
      status: 422,
    })
    const texts = [stored.text, tested.text, again.text, moved.text, node.log.join('\n')]
    for (const path of ['', '/export', '/revisions', '/revisions/2', '/connections/shop']) {
      texts.push((await call('GET', `/config${path}`)).text)
    }
    texts.push((await call('GET', '/audit?limit=500')).text)
    texts.push((await call('POST', '/config/revisions/3/undo')).text)
    const { serviceDatabase } = node.gateway.engine.settings
    for (const file of [serviceDatabase, `${serviceDatabase}-wal`]) {
      if (existsSync(file)) texts.push(readFileSync(file, 'latin1'))
    }
    for (const text of texts) expect(text).not.toContain(password)
    expect(texts.join('\n')).toContain('***')
  })
})

test('the part in code can be replaced: actions, but not the mode', async () => {
  const action = (text: string) => ({
    hello: { roles: ['user'], input: z.object({}), run: () => ({ text }) },
  })
  const node = await openAccounts({}, { config: { mode: 'interactive', actions: action('one') } })
  try {
    const { settings } = node.gateway.engine
    const hello = async () => {
      const answer = await node.call('POST', '/actions/hello', { token: masterKey, body: {} })
      return answer.body.text
    }
    expect(await hello()).toBe('one')
    const code = {
      mode: 'interactive',
      connections: {},
      masterKey,
      service_db: settings.serviceDatabase,
      auth: { secret: settings.auth?.secrets[0] ?? '', throttle: false },
      actions: action('two'),
    } as const
    await node.gateway.reconfigure(code)
    expect(await hello()).toBe('two')
    expect(node.gateway.engine.settings.permissions.size).toBe(1)
    await expect(
      node.gateway.reconfigure({ ...code, mode: 'programmatic', connections: { main: 'a.db' } }),
    ).rejects.toThrow('mode: cannot change while the process runs')
  } finally {
    await node.close()
  }
})
