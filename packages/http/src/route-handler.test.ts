import { GatewayError, silentLog } from '@engine/core'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { createCancellation } from './request/cancellation.ts'
import { jsonAnswer } from './response/answer.ts'
import { createCrossOrigin } from './response/cors.ts'
import { createRouteHandler, type Route, type RouteHandlerOptions } from './route-handler.ts'

const origin = 'https://app.example.com'
const crossOrigin = createCrossOrigin({ origins: [origin], credentials: false, maxAgeSeconds: 0 })

function answered(route: Route, options: Partial<RouteHandlerOptions> = {}) {
  const handle = createRouteHandler({
    cancellation: createCancellation(),
    isDevelopment: false,
    log: silentLog,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    crossOrigin: undefined,
    trustProxy: [],
    ...options,
  })
  const handler = handle(route)
  const app = new Hono().get('/things/:id', (context) => handler(context))
  return app.request('/things/7', { headers: { origin, 'x-request-id': 'request-1' } })
}

test('an answer has the common headers, and those of its route before them', async () => {
  const headers = { 'Cache-Control': 'no-cache', ETag: '"1"' }
  const response = await answered(() => jsonAnswer('{}', { headers }))
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    etag: '"1"',
    'x-request-id': 'request-1',
  })
})

test('what a route notes for its answer is there when it fails, too', async () => {
  const response = await answered(({ responseHeaders }) => {
    responseHeaders['Allow'] = 'DELETE'
    throw new GatewayError('methodNotAllowed', 'No.')
  })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('DELETE')
})

test('an answer without a body names no type of it', async () => {
  const response = await answered(() => ({ status: 204, body: undefined }))
  expect(response.headers.has('content-type')).toBe(false)
})

test('what a route says that its answer varies by is joined with what we say', async () => {
  const vary = (value: string) => (): ReturnType<Route> =>
    jsonAnswer('{}', { headers: { Vary: value } })
  const joined = await answered(vary('Accept, Origin'), { crossOrigin })
  expect(joined.headers.get('vary')).toBe('Origin, Accept')
})

test('a response that a route made itself keeps its headers and gets the others', async () => {
  const own = () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } })
  const response = await answered(own, { crossOrigin })
  expect(response.headers.get('content-type')).toBe('text/html')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(await response.text()).toBe('<p>')
})

test('errors are passed to the listener before they are answered', async () => {
  const heard: string[] = []
  const onError = async ({ code }: GatewayError) => void heard.push(code)
  const denied = await answered(
    () => {
      throw new GatewayError('permissionDenied', 'No.')
    },
    { onError },
  )
  expect([denied.status, heard]).toEqual([403, ['PERMISSION_DENIED']])
  const broken = await answered(
    () => {
      throw new TypeError('a bug')
    },
    { onError },
  )
  expect([broken.status, heard.length]).toEqual([500, 1])
})

test('parameters of the path come with the context', async () => {
  const response = await answered((_, context) => jsonAnswer(`"${context.req.param('id')}"`))
  expect(await response.json()).toBe('7')
})

test('a hook that fails ends its request with an error, at its beginning and at its end', async () => {
  const broken = (): never => {
    throw new Error('a broken hook')
  }
  const hooks = [broken, () => broken]
  for (const hook of hooks) {
    const response = await answered(() => jsonAnswer('{}'), { hook })
    expect(response.status).toBe(500)
  }
})

test('hooks are called with the status of the answer, errors included', async () => {
  const seen: (number | string)[] = []
  const hook: RouteHandlerOptions['hook'] = (_, place) => {
    seen.push(place().route)
    return (status) => void seen.push(status)
  }
  await answered(() => jsonAnswer('{}'), { hook })
  await answered(() => Promise.reject(new GatewayError('notFound', 'No.')), { hook })
  expect(seen).toEqual(['/things/:id', 200, '/things/:id', 404])
})
