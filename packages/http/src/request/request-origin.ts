import type { RequestOrigin } from '@engine/core/server'
import type { Call } from '../route-handler.ts'

/** The facts of a request for the audit. @param credentialId public id of the session or API key. */
export function requestOrigin(
  { client, correlationId }: Pick<Call, 'client' | 'correlationId'>,
  credentialId: string | undefined,
): RequestOrigin {
  return { correlationId, ip: client.ip, via: 'http', credentialId }
}
