/** CORS and secure headers on every kind of answer. */
import { afterEach, expect, test } from 'vitest'
import { json, openGateway, type TestGateway } from './support/open-gateway.ts'

let opened: TestGateway | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const app = 'https://app.example.com'
const security = { cors: { origin: [app], credentials: true, maxAge: 60 } }

type Ask = (gateway: TestGateway, headers: Readonly<Record<string, string>>) => Promise<Response>

const post = (path: string, body: string): Ask => {
  return ({ fetch }, headers) =>
    fetch(path, { method: 'POST', headers: { ...json, ...headers }, body })
}
const statement = (sql: string) => JSON.stringify({ sql, params: [], method: 'all' })

const answers: readonly [status: number, config: object, ask: Ask][] = [
  [200, {}, post('/data', statement('select 1'))],
  [400, {}, post('/data', '{')],
  [401, { auth: { secret: 'a secret of at least thirty-two bytes!' } }, post('/data', '{}')],
  [404, {}, (gateway, headers) => gateway.fetch('/nothing', { headers })],
  [404, {}, post('/data', statement('select 1 from main.nothing'))],
  [405, {}, (gateway, headers) => gateway.fetch('/data', { headers })],
  [413, { limits: { maxRequestBodySize: '1kb' } }, post('/data', ' '.repeat(2_000))],
  [200, {}, (gateway, headers) => gateway.fetch('/health/live', { headers })],
]

test.each(answers)(
  'an answer %i has its headers, across origins too',
  async (status, config, ask) => {
    opened = await openGateway({ ...config, security })
    const { headers: friend, status: found } = await ask(opened, { origin: app })
    expect(found).toBe(status)
    expect(friend.get('access-control-allow-origin')).toBe(app)
    expect(friend.get('access-control-allow-credentials')).toBe('true')
    expect(friend.get('access-control-expose-headers')).toContain('Retry-After')
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const { headers } = await ask(opened, origin === undefined ? {} : { origin })
      const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect(names).toEqual([])
      expect(headers.get('vary')).toBe('Origin')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    }
  },
)

test('an answer 429 has them too, and says when to come again', async () => {
  opened = await openGateway({ limits: { rateLimitPerIP: 1 }, security })
  const ask = post('/data', statement('select 1'))
  await ask(opened, { origin: app })
  const { status, headers } = await ask(opened, { origin: app })
  expect(status).toBe(429)
  expect(headers.get('access-control-allow-origin')).toBe(app)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(headers.get('ratelimit-policy')).toContain('q=1;w=60')
})

test('without configured origins there are no such headers at all', async () => {
  opened = await openGateway()
  const { headers } = await post('/data', statement('select 1'))(opened, { origin: app })
  const names = [...headers.keys()]
  expect(names.filter((name) => name.startsWith('access-control-') || name === 'vary')).toEqual([])
})

const preflight = (gateway: TestGateway, path: string, origin: string): Promise<Response> =>
  gateway.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })

test('a preflight is answered before anybody asks for a token or counts', async () => {
  const auth = { secret: 'a secret of at least thirty-two bytes!' }
  opened = await openGateway({ auth, limits: { rateLimitPerIP: 1 }, security })
  for (const path of ['/data', '/data/batch', '/auth/sign-in', '/actions/any', '/nothing']) {
    for (let i = 0; i < 3; i += 1) {
      const { status, headers } = await preflight(opened, path, app)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(app)
      expect(headers.get('access-control-allow-methods')).toContain('POST')
      expect(headers.get('access-control-allow-headers')).toContain('Authorization')
      expect(headers.get('access-control-max-age')).toBe('60')
      expect(headers.get('vary')).toContain('Origin')
      expect(headers.has('content-type')).toBe(false)
    }
  }
})

test('a preflight from elsewhere, or for /admin, opens nothing', async () => {
  opened = await openGateway({ security })
  for (const [path, origin] of [
    ['/data', 'https://evil.example'],
    ['/data', 'null'],
    ['/admin', app],
    ['/admin/api/status', app],
  ] as const) {
    const { headers } = await preflight(opened, path, origin)
    expect(headers.has('access-control-allow-methods')).toBe(false)
    expect(headers.has('access-control-allow-headers')).toBe(false)
  }
})

test('OPTIONS that is no preflight is an ordinary wrong method', async () => {
  opened = await openGateway({ security })
  const { status } = await opened.fetch('/data', { method: 'OPTIONS', headers: { origin: app } })
  expect(status).toBe(405)
})

test('headers of the configuration are on errors too', async () => {
  const headers = { 'Strict-Transport-Security': 'max-age=63072000' }
  opened = await openGateway({ security: { headers } })
  const response = await opened.fetch('/nothing')
  expect(response.headers.get('strict-transport-security')).toBe('max-age=63072000')
})
