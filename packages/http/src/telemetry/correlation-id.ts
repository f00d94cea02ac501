import { randomBytes } from 'node:crypto'
import { createTimeIds } from '@engine/core/server'
import type { IncomingRequest } from '../request/incoming-request.ts'

const nextId = createTimeIds(Date.now, randomBytes(8))

/**
 * The client's `X-Request-Id` where it is valid (1 to 128 letters, digits, `.`, `_`, `-`), otherwise a new UUID. Those of a process
 * follow each other (version 7): the index of the audit grows at its end.
 */
export function correlationIdOf(request: Pick<IncomingRequest, 'headers'>): string {
  const given = request.headers.get('x-request-id')
  return given !== null && /^[\w.-]{1,128}$/.test(given) ? given : nextId().id
}
