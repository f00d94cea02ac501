import { type Engine, GatewayError, type QueryAnswer } from '@engine/core'
import { Hono } from 'hono'
import type { AppEnvironment, EngineApp } from '../app.ts'
import type { Authenticate } from '../authenticate.ts'
import { parseBatchRequest, parseDataRequest } from '../data-request.ts'
import { readJson } from '../read-body.ts'

/** `POST /data` and `POST /data/batch`: who asks comes first, then what is asked. */
export function dataRoutes(engine: Engine, authenticate: Authenticate): EngineApp {
  const routes: EngineApp = new Hono<AppEnvironment>()
  const maxBytes = engine.settings.limits.maxRequestBodyBytes

  routes.post('/data', async ({ req: { raw } }) => {
    const caller = await authenticate(raw)
    const request = parseDataRequest(await readJson(raw, maxBytes))
    return toResponse(await engine.query({ ...request, signal: raw.signal }, caller))
  })
  routes.post('/data/batch', async ({ req: { raw } }) => {
    const caller = await authenticate(raw)
    const statements = parseBatchRequest(await readJson(raw, maxBytes))
    return toResponse(await engine.batch({ statements, signal: raw.signal }, caller))
  })
  for (const path of ['/data', '/data/batch']) {
    routes.all(path, () => {
      throw new GatewayError('methodNotAllowed', `Use POST for ${path}.`)
    })
  }
  return routes
}

function toResponse({ body, truncated }: QueryAnswer): Response {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (truncated) headers['X-Rows-Truncated'] = 'true'
  return new Response(body as ConstructorParameters<typeof Response>[0], { status: 200, headers })
}
