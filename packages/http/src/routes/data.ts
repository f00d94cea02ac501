import { type Engine, GatewayError, type QueryAnswer } from '@engine/core'
import type { RequestOrigin } from '@engine/core/server'
import { Hono } from 'hono'
import { type Answer, jsonAnswer, type WholeBody } from '../answer.ts'
import type { Call } from '../answer-calls.ts'
import { parseBatchRequest, parseDataRequest } from '../data-request.ts'
import type { IncomingRequest } from '../incoming-request.ts'
import type { Admission } from '../rate-limit.ts'
import { readJson } from '../read-body.ts'
import type { RouteHandler } from '../route-handler.ts'
import { otherMethods } from './other-methods.ts'

/** `POST /data` and `POST /data/batch`: checks the caller first, then the statements. */
export function dataRoutes(
  engine: Engine,
  { admit }: Pick<Admission, 'admit'>,
  handle: RouteHandler,
  isDevelopment: boolean,
): Hono {
  const routes = new Hono()
  const maxBytes = engine.settings.limits.maxRequestBodyBytes

  const data = handle(dataRoute(engine, { admit }, isDevelopment))
  const batch = handle(async (call) => {
    const { request } = call
    const { caller, credentialId } = await admit(call)
    const statements = parseBatchRequest(await readJson(request, maxBytes))
    const origin = originOf(call, credentialId)
    const answer = await engine.batch({ statements, signal: call.signal(), origin }, caller)
    return toAnswer(answer, isDevelopment)
  })
  const wrongMethod = handle(({ request }) => {
    const { pathname } = new URL(request.url)
    throw new GatewayError('methodNotAllowed', `Use POST for ${pathname}.`)
  })
  routes.post('/data', (context) => data(context))
  routes.post('/data/batch', (context) => batch(context))
  routes.on(otherMethods(['POST']), ['/data', '/data/batch'], (context) => wrongMethod(context))
  return routes
}

/** `POST /data`: checks the caller first, then the statement. */
export function dataRoute<Request extends IncomingRequest>(
  engine: Engine,
  { admit }: Pick<Admission<Request>, 'admit'>,
  isDevelopment: boolean,
): (call: Call<Request>) => Promise<Answer<WholeBody>> {
  const maxBytes = engine.settings.limits.maxRequestBodyBytes
  return async (call) => {
    const known = admit(call)
    const { caller, credentialId } = known instanceof Promise ? await known : known
    const query = parseDataRequest(await readJson(call.request, maxBytes))
    const origin = originOf(call, credentialId)
    const answer = await engine.query({ ...query, signal: call.signal(), origin }, caller)
    return toAnswer(answer, isDevelopment)
  }
}

/** The origin of a statement, for the audit. */
function originOf(
  { client }: Call<IncomingRequest>,
  credentialId: string | undefined,
): RequestOrigin {
  const { correlationId, ip } = client
  return { correlationId, ip, via: 'http', credentialId }
}

const truncatedHeader = { 'X-Rows-Truncated': 'true' }

function toAnswer(
  { body, truncated, filteredTables }: QueryAnswer,
  isDevelopment: boolean,
): Answer<WholeBody> {
  const isFiltered = isDevelopment && filteredTables.length > 0
  const headers = isFiltered
    ? { ...(truncated ? truncatedHeader : {}), ...filteredHeader(filteredTables) }
    : truncated
      ? truncatedHeader
      : undefined
  return jsonAnswer(body, { headers })
}

/** The answer has no rows, and permissions show only some rows of these tables: a hint for developers. */
function filteredHeader(tables: readonly string[]): Readonly<Record<string, string>> {
  return { 'X-Rows-Filtered': tables.map(encodeURIComponent).join(', ') }
}
