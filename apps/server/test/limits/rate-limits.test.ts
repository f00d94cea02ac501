/** Interface specification 8: rateLimitPerUser and rateLimitPerIP, for clients of a running server. */
import { type Config, defineAction, silentLog } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type RunningServer, serve } from '../../src/serve.ts'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { bearer, secret } from '../support/tokens.ts'

const masterKey = 'the-master-key-of-these-tests-0123456789'

describe('rate limits', () => {
  const servers: RunningServer[] = []
  let database: TestDatabase | undefined

  const start = async (config: Omit<Config, 'connections'>): Promise<RunningServer> => {
    database ??= await openSqlite()
    const server = await serve({
      config: {
        service_db: ':memory:',
        connections: { main: database.url },
        open: true,
        ...config,
      },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: false,
      log: silentLog,
    })
    servers.push(server)
    return server
  }
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop(1_000)
    await database?.remove()
    database = undefined
  })

  const one = { sql: 'select 1', params: [], method: 'get' }
  const send = async (
    { url }: RunningServer,
    headers: Readonly<Record<string, string>> = {},
    path = '/data',
    body: object = one,
  ) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return {
      status: response.status,
      policy: response.headers.get('ratelimit-policy'),
      limit: response.headers.get('ratelimit'),
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as Record<string, unknown>,
    }
  }
  const statuses = async (
    server: RunningServer,
    times: number,
    headers?: Readonly<Record<string, string>>,
  ) => {
    const found: number[] = []
    for (let i = 0; i < times; i += 1) found.push((await send(server, headers)).status)
    return found
  }

  test('without limits there is nothing about them in an answer', async () => {
    const server = await start({})
    const answer = await send(server)
    expect(answer).toMatchObject({ status: 200, policy: null, limit: null, retryAfter: null })
  })

  test('an address may send a number of requests a minute; then it is 429, with the time to try again', async () => {
    const server = await start({ limits: { rateLimitPerIP: 3 } })
    expect(await send(server)).toMatchObject({
      status: 200,
      policy: '"ip";q=3;w=60',
      limit: '"ip";r=2;t=20',
      retryAfter: null,
    })
    expect(await statuses(server, 2)).toEqual([200, 200])
    const refused = await send(server)
    expect(refused).toMatchObject({
      status: 429,
      policy: '"ip";q=3;w=60',
      limit: expect.stringMatching(/^"ip";r=0;t=\d+$/),
      body: { error: 'RATE_LIMITED', message: expect.any(String) },
    })
    expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1)
    expect(Number(refused.retryAfter)).toBeLessThanOrEqual(20)
    expect(refused.body).toHaveProperty('correlation_id')
    expect(refused.body).not.toHaveProperty('details')
  })

  test('a batch counts as one, and from the same count', async () => {
    const server = await start({ limits: { rateLimitPerIP: 2 } })
    const batch = { statements: [one, one, one] }
    expect((await send(server, {}, '/data/batch', batch)).status).toBe(200)
    expect(await statuses(server, 2)).toEqual([200, 429])
    expect((await send(server, {}, '/data/batch', batch)).status).toBe(429)
  })

  test('wrong credentials count by address, before they are looked at', async () => {
    const server = await start({ auth: { secret }, limits: { rateLimitPerIP: 3 } })
    const wrong = { authorization: 'Bearer nonsense' }
    expect(await statuses(server, 5, wrong)).toEqual([401, 401, 401, 429, 429])
    expect((await send(server, await bearer({}))).status).toBe(429)
  })

  test('users are counted by who they are', async () => {
    const server = await start({ auth: { secret }, limits: { rateLimitPerUser: 2 } })
    const [ada, bob] = [await bearer({ sub: 'ada' }), await bearer({ sub: 'bob' })]
    expect(await send(server, ada)).toMatchObject({ policy: '"user";q=2;w=60' })
    expect(await statuses(server, 2, ada)).toEqual([200, 429])
    expect(await statuses(server, 3, bob)).toEqual([200, 200, 429])
    expect(await statuses(server, 1, await bearer({ sub: 'ada', jti: 'another token' }))).toEqual([
      429,
    ])
    expect((await send(server)).status).toBe(401)
  })

  test('both limits are reported', async () => {
    const server = await start({
      auth: { secret },
      limits: { rateLimitPerUser: 1, rateLimitPerIP: 9 },
    })
    const ada = await bearer({ sub: 'ada' })
    expect(await send(server, ada)).toMatchObject({
      status: 200,
      policy: '"ip";q=9;w=60, "user";q=1;w=60',
    })
    const refused = await send(server, ada)
    expect(refused.status).toBe(429)
    expect(refused.limit).toMatch(/^"ip";r=7;t=\d+, "user";r=0;t=\d+$/)
    expect(Number(refused.retryAfter)).toBeGreaterThan(50)
  })

  test('the master key is counted by address only', async () => {
    const server = await start({ masterKey, limits: { rateLimitPerUser: 1, rateLimitPerIP: 4 } })
    const master = { authorization: `Bearer ${masterKey}` }
    expect(await statuses(server, 5, master)).toEqual([200, 200, 200, 200, 429])
  })

  test('in open mode callers are counted by address under the user limit, too', async () => {
    const server = await start({
      limits: { rateLimitPerUser: 1 },
      security: { trustProxy: ['127.0.0.1'] },
    })
    expect(await statuses(server, 2, { 'x-forwarded-for': '198.51.100.1' })).toEqual([200, 429])
    expect(await statuses(server, 2, { 'x-forwarded-for': '198.51.100.2' })).toEqual([200, 429])
  })

  test('actions and the schema count as well; a wrong token of the schema, too', async () => {
    const ping = defineAction({
      roles: ['*', 'anonymous'],
      input: z.object({}),
      run: () => undefined,
    })
    const server = await start({
      limits: { rateLimitPerIP: 4 },
      schemaEndpoint: { enabled: true, token: 'a token of the schema endpoint, long enough' },
      actions: { ping },
    })
    expect(await send(server, {}, '/actions/ping', {})).toMatchObject({
      status: 200,
      limit: expect.stringMatching(/^"ip";r=3;/),
    })
    expect((await send(server, {}, '/actions/nothing', {})).status).toBe(404)
    const schema = () => fetch(`${server.url}/schema`, { headers: { authorization: 'Bearer no' } })
    expect((await schema()).status).toBe(401)
    expect((await schema()).status).toBe(401)
    expect((await schema()).status).toBe(429)
    expect((await send(server, {}, '/actions/ping', {})).status).toBe(429)
    expect((await send(server)).status).toBe(429)
  })

  test('health is never limited', async () => {
    const server = await start({ limits: { rateLimitPerIP: 1 } })
    await statuses(server, 3)
    for (let i = 0; i < 5; i += 1) {
      expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
    }
  })

  describe('a client that sends another address', () => {
    test('a client that sends another address is not believed without a trusted proxy', async () => {
      const server = await start({ limits: { rateLimitPerIP: 2 } })
      const found: number[] = []
      for (let i = 0; i < 4; i += 1) {
        const pretended = {
          'x-forwarded-for': `198.51.100.${i}`,
          forwarded: `for=198.51.100.${i}`,
          'x-real-ip': `198.51.100.${i}`,
        }
        found.push((await send(server, pretended)).status)
      }
      expect(found).toEqual([200, 200, 429, 429])
    })

    test('a client that sends another address is detected with a trusted proxy: the proxy wrote the last address', async () => {
      const server = await start({
        limits: { rateLimitPerIP: 2 },
        security: { trustProxy: ['127.0.0.0/8', '::1'] },
      })
      const found: number[] = []
      for (let i = 0; i < 4; i += 1) {
        const headers = { 'x-forwarded-for': `10.0.0.${i}, 127.0.0.${i}, 198.51.100.7` }
        found.push((await send(server, headers)).status)
      }
      expect(found).toEqual([200, 200, 429, 429])
      expect((await send(server, { 'x-forwarded-for': '198.51.100.8' })).status).toBe(200)
    })

    test('gains nothing by many addresses of one network, or by writing one differently', async () => {
      const server = await start({
        limits: { rateLimitPerIP: 3 },
        security: { trustProxy: ['127.0.0.1'] },
      })
      const from = async (address: string) =>
        (await send(server, { 'x-forwarded-for': address })).status
      const network = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::', '[2001:DB8::9]:443']
      const found: number[] = []
      for (const address of network) found.push(await from(address))
      expect(found).toEqual([200, 200, 200, 429])
      expect(await from('2001:db8:0:1::1')).toBe(200)
      const same = ['203.0.113.5', '::ffff:203.0.113.5', '::ffff:cb00:7105', '203.0.113.5:1234']
      found.length = 0
      for (const address of same) found.push(await from(address))
      expect(found).toEqual([200, 200, 200, 429])
    })

    test('shares a count with all others that are unknown', async () => {
      const server = await start({
        limits: { rateLimitPerIP: 2 },
        security: { trustProxy: ['127.0.0.1'] },
      })
      const found: number[] = []
      for (const nonsense of ['unknown', 'x', '_hidden', '1.1.1.1, 300.1.1.1']) {
        found.push((await send(server, { 'x-forwarded-for': nonsense })).status)
      }
      expect(found).toEqual([200, 200, 429, 429])
    })
  })

  test('many at a time get no more than their share', async () => {
    const server = await start({ limits: { rateLimitPerIP: 20 } })
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(server)))
    const accepted = answers.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(80)
  })

  describePostgres('nodes that share a service database', () => {
    test('share their counts', async () => {
      const service_db = await createDatabase('rate_limits')
      const limits = { rateLimitPerUser: 20, rateLimitPerIP: 1_000 }
      const nodes = [
        await start({ service_db, auth: { secret }, limits }),
        await start({ service_db, auth: { secret }, limits }),
      ]
      const ada = await bearer({ sub: 'ada' })
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) => send(nodes[i % 2] as RunningServer, ada)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(40)
    })

    test('share them in open mode as well', async () => {
      const service_db = await createDatabase('rate_limits_open')
      const limits = { rateLimitPerIP: 4 }
      const [a, b] = [await start({ service_db, limits }), await start({ service_db, limits })]
      expect(await statuses(a, 2)).toEqual([200, 200])
      expect(await statuses(b, 3)).toEqual([200, 200, 429])
      expect(await statuses(a, 1)).toEqual([429])
    })
  })
})
