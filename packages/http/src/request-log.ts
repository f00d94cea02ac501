import type { Log } from '@engine/core'
import { causeOf } from './error-response.ts'
import { methodOf, routeOf } from './request-hooks.ts'
import type { RequestHook } from './route-handler.ts'

/**
 * One line for each request. It contains the declared route, not the path, since paths may contain secrets; no part of
 * query, headers or body; for an error of the database, the database's code and text.
 */
export function createRequestLog(log: Log): RequestHook {
  return async (call, context, answer) => {
    const startMs = performance.now()
    const response = await answer()
    const cause = call.failure && causeOf(call.failure)
    const facts = {
      correlation_id: call.correlationId,
      method: methodOf(context),
      route: routeOf(context),
      status: response.status,
      duration_ms: Math.round((performance.now() - startMs) * 1_000) / 1_000,
      ip: call.client.ip,
      ...(cause === undefined ? {} : { error: call.failure?.code, cause }),
    }
    log.info(facts, call.request.signal.aborted ? 'request, abandoned by its client' : 'request')
    return response
  }
}
