import type { DataRequest } from '@engine/contract'
import { type Engine, GatewayError, type QueryAnswer } from '@engine/core'
import type { RequestOrigin } from '@engine/core/server'
import { Hono } from 'hono'
import type { Admission, Ahead } from '../admission/admission.ts'
import { parseBatchRequest, parseDataRequest } from '../request/data-request.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { readJson, readJsonSoon } from '../request/read-body.ts'
import { type Answer, jsonAnswer, type WholeBody } from '../response/answer.ts'
import type { Call } from '../response/answer-calls.ts'
import type { RouteHandler } from '../route-handler.ts'
import { otherMethods } from './other-methods.ts'

/** `POST /data` and `POST /data/batch`: checks the caller first, then the statements. */
export function dataRoutes(
  engine: Engine,
  admission: Pick<Admission, 'admit' | 'admitAhead' | 'again'>,
  handle: RouteHandler,
  isDevelopment: boolean,
): Hono {
  const routes = new Hono()
  const maxBytes = engine.settings.limits.maxRequestBodyBytes

  const data = handle(dataRoute(engine, admission, isDevelopment))
  const batch = handle(async (call) => {
    const { request } = call
    const { caller, credentialId } = await admission.admit(call)
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
  { admitAhead, again }: Pick<Admission<Request>, 'admitAhead' | 'again'>,
  isDevelopment: boolean,
): (call: Call<Request>) => Promise<Answer<WholeBody>> {
  const maxBytes = engine.settings.limits.maxRequestBodyBytes
  const run = (
    call: Call<Request>,
    { sql, params, method, meta }: Required<DataRequest>,
    { known: { caller, credentialId }, confirmed }: Ahead,
  ): Promise<QueryAnswer> => {
    const origin = originOf(call, credentialId)
    const request = { sql, params, method, meta, signal: call.signal(), origin, confirmed }
    return engine.query(request, caller)
  }
  const toOwn = (answer: QueryAnswer) => toAnswer(answer, isDevelopment)
  const answered = (call: Call<Request>, ahead: Ahead): Promise<Answer<WholeBody>> => {
    let query: Required<DataRequest> | undefined
    const runBody = (body: unknown) => {
      query = parseDataRequest(body)
      return run(call, query, ahead)
    }
    /** A caller who has changed is asked for again, before it gets any error. */
    const repeat = async (error: unknown): Promise<Answer<WholeBody>> => {
      const { confirmed } = ahead
      if (confirmed === undefined || (await confirmed)) throw error
      const known = await again(call)
      if (query === undefined) throw error
      return toOwn(await run(call, query, { known }))
    }
    try {
      const body = readJsonSoon(call.request, maxBytes)
      const running = body instanceof Promise ? body.then(runBody) : runBody(body)
      return running.then(toOwn, repeat)
    } catch (error) {
      return repeat(error)
    }
  }
  return (call) => {
    const ahead = admitAhead(call)
    return ahead instanceof Promise
      ? ahead.then((admitted) => answered(call, admitted))
      : answered(call, ahead)
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
