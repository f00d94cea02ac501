import type { Log } from '@engine/core'
import type { RequestHook } from '../response/answer-calls.ts'
import { causeOf } from '../response/error-response.ts'

/**
 * One line for each request. It contains the declared route, not the path, since paths may contain secrets; no part of
 * query, headers or body; for an error of the database, the database's code and text.
 */
export function createRequestLog(log: Log): RequestHook {
  return (call, place) => {
    const startMs = performance.now()
    return (status) => {
      const cause = call.failure && causeOf(call.failure)
      const facts = {
        correlation_id: call.correlationId,
        ...place(),
        status,
        duration_ms: Math.round((performance.now() - startMs) * 1_000) / 1_000,
        ip: call.client.ip,
        ...(cause === undefined ? {} : { error: call.failure?.code, cause }),
      }
      log.info(facts, call.isAbandoned() ? 'request, abandoned by its client' : 'request')
    }
  }
}
