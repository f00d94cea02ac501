/** The app under a path of another app, by its own option or by Hono's. */
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import { json, openGateway, type TestGateway } from './support/open-gateway.ts'

let opened: TestGateway | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

const origin = 'https://app.example.com'
const config = {
  security: { cors: { origin: [origin] } },
  masterKey: 'a master key of at least thirty-two bytes',
}

type Ask = (path: string, init?: RequestInit, env?: object) => Promise<Response>

async function open(basePath: string | undefined): Promise<TestGateway> {
  opened = await openGateway(config, basePath === undefined ? {} : { basePath })
  return opened
}

const ways: Readonly<Record<string, () => Promise<Ask>>> = {
  'by its basePath': async () => {
    const { gateway } = await open('/api/engine')
    return async (path, init, env) => gateway.app.request(path, init, env)
  },
  'in another Hono app': async () => {
    const { gateway } = await open(undefined)
    const app = new Hono()
    app.get('/hello', (context) => context.text('hello'))
    app.route('/api/engine', gateway.app)
    return async (path, init, env) => app.request(path, init, env)
  },
  'by both': async () => {
    const { gateway } = await open('/engine')
    const app = new Hono().route('/api', gateway.app)
    return async (path, init, env) => app.request(path, init, env)
  },
}

describe.each(Object.entries(ways))('under /api/engine %s', (_, mount) => {
  test('statements are answered there and nowhere else', async () => {
    const ask = await mount()
    const body = JSON.stringify({ sql: 'select 1', params: [], method: 'all' })
    const post = { method: 'POST', headers: json, body }
    expect(await (await ask('/api/engine/data', post)).json()).toEqual({ rows: [[1]] })
    expect((await ask('/data', post)).status).toBe(404)
    expect((await ask('/api/engine/api/engine/data', post)).status).toBe(404)
  })

  test('its description names the path', async () => {
    const ask = await mount()
    const document = await (await ask('/api/engine/openapi.json')).json()
    expect(document).toMatchObject({ servers: [{ url: '/api/engine' }] })
  })

  test('browsers may ask across origins, but for the administration', async () => {
    const ask = await mount()
    const preflight = {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    }
    const data = await ask('/api/engine/data', preflight)
    expect(data.status).toBe(204)
    expect(data.headers.get('access-control-allow-origin')).toBe(origin)
    const admin = await ask('/api/engine/admin/api/status', preflight)
    expect(admin.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('at the top its description names the top', async () => {
  const { fetch } = await open(undefined)
  const document = await (await fetch('/openapi.json')).json()
  expect(document).toMatchObject({ servers: [{ url: '/' }] })
})

test('a base path that means something to the router is refused', async () => {
  await expect(open('/:name')).rejects.toMatchObject({ problem: 'invalidConfiguration' })
})

test('a host may say where requests come from', async () => {
  opened = await openGateway(
    { limits: { rateLimitPerIP: 1 } },
    { remoteAddress: (request) => request.headers.get('x-platform-address') ?? undefined },
  )
  const { query } = opened
  const from = async (address: string) =>
    (await query('select 1', { 'x-platform-address': address })).status
  expect(await from('192.0.2.1')).toBe(200)
  expect(await from('192.0.2.1')).toBe(429)
  expect(await from('192.0.2.2')).toBe(200)
})

test('an app in another one follows a new configuration', async () => {
  const { gateway } = await open(undefined)
  const { settings } = gateway.engine
  const host = new Hono().route('/engine', gateway.app)
  host.get('*', (context) => context.text('of the host'))
  const preflight = {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  }
  expect((await host.request('/engine/data', preflight)).status).toBe(204)
  await gateway.reconfigure({
    connections: { main: { url: settings.connections.get('main')?.url ?? '', create: true } },
    service_db: settings.serviceDatabase,
    masterKey: config.masterKey,
    open: true,
  })
  expect((await host.request('/engine/data', preflight)).status).toBe(405)
  expect(await (await host.request('/other')).text()).toBe('of the host')
})
