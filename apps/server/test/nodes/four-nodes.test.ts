/** Four nodes and a load balancer: every node gives the same answer. */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Callable,
  masterKey,
  password,
  readNotes,
  remote,
  signIn,
  signUp,
  tokenIn,
} from '../support/accounts.ts'
import { type Cluster, notesTable, startCluster } from './cluster.ts'

describePostgres('four nodes behind a balancer', () => {
  let cluster: Cluster
  let all: Callable
  let each: readonly Callable[]
  let service: pg.Client
  const limit = 40

  beforeAll(async () => {
    const url = await createDatabase('nodes')
    service = new pg.Client({ connectionString: url })
    await service.connect()
    await service.query(notesTable)
    // On an empty database, all at the same time.
    cluster = await startCluster({
      count: 4,
      serviceDatabase: url,
      main: url,
      auth: { throttle: { signInFailuresPerAccountAndIp: [4, '15m'], signUpPerIp: [1000, '10m'] } },
      config: { audit: { enabled: true }, limits: { rateLimitPerUser: limit } },
    })
    all = remote(cluster.balancer.url)
    each = cluster.nodes.map(({ url: node }) => remote(node))
  })
  afterAll(async () => {
    await cluster?.close()
    await service?.end()
  })

  const statuses = async (token: string) =>
    Promise.all(each.map(async (node) => (await readNotes(node, token)).status))

  test('the tables were made once, and every node is ready', async () => {
    for (const node of each) {
      expect(await node.call('GET', '/health/ready')).toMatchObject({ status: 200 })
    }
    const { rows } = await service.query(
      "select count(*)::int as count from pg_tables where tablename = 'engine_audit'",
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  test('a session of one is a session everywhere, until it is signed out at any', async () => {
    const { token, email } = await signUp(all)
    expect(await statuses(token)).toEqual([200, 200, 200, 200])
    const other = (await signIn(all, email)).body.session.token
    expect(await all.call('POST', '/auth/sign-out', { token })).toMatchObject({ status: 200 })
    expect(await statuses(token)).toEqual([401, 401, 401, 401])
    expect(await statuses(other)).toEqual([200, 200, 200, 200])
  })

  test('API keys hold everywhere as soon as they are made, and nowhere once they are revoked', async () => {
    const body = { name: 'report', roles: ['user'] }
    const made = await all.call('POST', '/admin/api/api-keys', {
      body,
      token: masterKey,
    })
    expect(made).toMatchObject({ status: 201 })
    const { id, key } = made.body.apiKey
    expect(await statuses(key)).toEqual([200, 200, 200, 200])
    const revoked = await all.call('DELETE', `/admin/api/api-keys/${id}`, { token: masterKey })
    expect(revoked).toMatchObject({ status: 200 })
    expect(await statuses(key)).toEqual([401, 401, 401, 401])
  })

  test('a reset of the password ends the sessions at all of them', async () => {
    const { email, token } = await signUp(all)
    await all.call('POST', '/auth/forgot-password', { body: { email } })
    const mail = async () => {
      const outbox = await all.call('GET', '/admin/api/outbox', { token: masterKey })
      return outbox.body.mails.find(
        (each: { readonly to: string; readonly subject: string }) =>
          each.to === email && /reset/i.test(each.subject),
      )
    }
    await expect.poll(mail, { timeout: 10_000 }).toBeDefined()
    const body = { token: tokenIn((await mail()).text), password: 'a brand new password' }
    expect(await all.call('POST', '/auth/reset-password', { body })).toMatchObject({ status: 200 })
    expect(await statuses(token)).toEqual([401, 401, 401, 401])
    expect(await signIn(all, email)).toMatchObject({ status: 401 })
    expect(await signIn(all, email, 'a brand new password')).toMatchObject({ status: 200 })
  })

  test('four nodes let through what one would, of a user’s requests', async () => {
    const { token } = await signUp(all)
    const answers = await Promise.all(
      Array.from({ length: limit * 2 }, () => readNotes(all, token)),
    )
    const passed = answers.filter(({ status }) => status === 200).length
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(limit * 2 - passed)
    // One more request is allowed every 60 / limit seconds.
    expect(passed).toBeGreaterThanOrEqual(limit)
    expect(passed).toBeLessThanOrEqual(limit + 10)
    expect((await readNotes(each[0] as Callable, token)).status).toBe(429)
  })

  test('wrong passwords are counted together', async () => {
    const { email } = await signUp(all)
    const found: number[] = []
    for (let i = 0; i < 6; i += 1) found.push((await signIn(all, email, 'wrong')).status)
    expect(found).toEqual([401, 401, 401, 401, 429, 429])
    for (const node of each) {
      const forwarded = { headers: { 'x-forwarded-for': '127.0.0.1' } }
      const body = { email, password }
      expect(await node.call('POST', '/auth/sign-in', { body, ...forwarded })).toMatchObject({
        status: 429,
      })
    }
  })

  test('one table records what happened at which node', async () => {
    const names = await Promise.all(
      each.map(async (node) => {
        const status = await node.call('GET', '/admin/api/status', { token: masterKey })
        return status.body.node as string
      }),
    )
    expect(new Set(names).size).toBe(4)
    const { token } = await signUp(all)
    const ids = names.map((name) => `audited-at-${name}`)
    for (const [i, node] of each.entries()) {
      await node.call('POST', '/data', {
        token,
        headers: { 'x-request-id': ids[i] as string },
        body: { sql: 'select note from main.notes', params: [], method: 'all' },
      })
    }
    for (const [i, id] of ids.entries()) {
      const found = async () => {
        const path = `/admin/api/audit?correlationId=${id}`
        const { body } = await (each[(i + 1) % 4] as Callable).call('GET', path, {
          token: masterKey,
        })
        return body.entries
      }
      await expect.poll(found, { timeout: 10_000 }).toMatchObject([{ node: names[i] }])
    }
  })

  test('the balancer has asked all of them', () => {
    for (const count of cluster.balancer.answered()) expect(count).toBeGreaterThan(5)
  })
})
