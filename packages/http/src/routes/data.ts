import { type Engine, GatewayError, type QueryAnswer } from '@engine/core'
import { Hono } from 'hono'
import type { Answering, Call } from '../answering.ts'
import type { Authenticate } from '../authenticate.ts'
import { parseBatchRequest, parseDataRequest } from '../data-request.ts'
import { jsonResponse } from '../json-response.ts'
import { readJson } from '../read-body.ts'

/** Methods that people try by mistake; a list, since a second route for POST would cost every request. */
const otherMethods = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** `POST /data` and `POST /data/batch`: who asks comes first, then what is asked. */
export function dataRoutes(
  engine: Engine,
  authenticate: Authenticate,
  answering: Answering,
  isDevelopment: boolean,
): Hono {
  const routes = new Hono()
  const maxBytes = engine.settings.limits.maxRequestBodyBytes

  const data = answering(async (call) => {
    const { request } = call
    const caller = await authenticate(request)
    const query = parseDataRequest(await readJson(request, maxBytes))
    const answer = await engine.query({ ...query, signal: request.signal }, caller)
    return toResponse(answer, call, isDevelopment)
  })
  const batch = answering(async (call) => {
    const { request } = call
    const caller = await authenticate(request)
    const statements = parseBatchRequest(await readJson(request, maxBytes))
    const answer = await engine.batch({ statements, signal: request.signal }, caller)
    return toResponse(answer, call, isDevelopment)
  })
  const wrongMethod = answering(({ request }) => {
    const { pathname } = new URL(request.url)
    throw new GatewayError('methodNotAllowed', `Use POST for ${pathname}.`)
  })
  routes.post('/data', (context) => data(context))
  routes.post('/data/batch', (context) => batch(context))
  routes.on(otherMethods, ['/data', '/data/batch'], (context) => wrongMethod(context))
  return routes
}

const truncatedHeader = { 'X-Rows-Truncated': 'true' }

function toResponse(
  { body, truncated, filteredTables }: QueryAnswer,
  { correlationId }: Call,
  isDevelopment: boolean,
): Response {
  const isFiltered = isDevelopment && filteredTables.length > 0
  const headers = isFiltered
    ? { ...(truncated ? truncatedHeader : {}), ...filteredHeader(filteredTables) }
    : truncated
      ? truncatedHeader
      : undefined
  return jsonResponse(body, { status: 200, correlationId, headers })
}

/** No rows, and permissions show only some rows of these tables: a hint for developers. */
function filteredHeader(tables: readonly string[]): Readonly<Record<string, string>> {
  return { 'X-Rows-Filtered': tables.map(encodeURIComponent).join(', ') }
}
