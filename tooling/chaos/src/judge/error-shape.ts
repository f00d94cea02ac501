/** @module The form that every error has: SPEC 2.5 and 7. */
import type { Answer } from '../client/ask.ts'

const codes: Readonly<Record<number, readonly string[]>> = {
  400: ['BAD_REQUEST', 'VALIDATION_ERROR', 'INVALID_TOKEN'],
  401: ['UNAUTHORIZED', 'INVALID_CREDENTIALS'],
  403: ['PERMISSION_DENIED', 'EMAIL_NOT_VERIFIED'],
  404: ['TABLE_NOT_FOUND', 'NOT_FOUND', 'ACTION_NOT_FOUND'],
  408: ['QUERY_TIMEOUT'],
  409: ['CONFLICT', 'EMAIL_EXISTS'],
  413: ['PAYLOAD_TOO_LARGE'],
  422: ['VALIDATION_ERROR'],
  429: ['RATE_LIMITED'],
  503: ['UNAVAILABLE'],
}

/** The defect in the form of an answer in production; undefined when it is correct. */
export function shapeFault({ status, headers, body }: Answer, id: string): string | undefined {
  if (headers.get('x-request-id') !== id) return 'X-Request-Id is not the one that was sent'
  if (body === undefined) return 'the body is no JSON'
  // The answer of the readiness check is not an error: load balancers read only its status.
  if (status < 400 || body.status === 'unavailable') return undefined
  if (codes[status]?.includes(body.error) !== true)
    return `code ${body.error} with status ${status}`
  const keys = Object.keys(body).toSorted().join()
  if (keys !== 'correlation_id,error,message') return `fields ${keys}`
  if (body.correlation_id !== id) return 'correlation_id is not the one that was sent'
  if (typeof body.message !== 'string' || body.message === '') return 'no message'
  if ((status === 503 || status === 429) && headers.get('retry-after') === null) {
    return 'no Retry-After'
  }
  return undefined
}
