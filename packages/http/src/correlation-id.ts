import { randomUUID } from 'node:crypto'

/** The client's `X-Request-Id` where it is valid (1 to 128 letters, digits, `.`, `_`, `-`), otherwise a new UUID. */
export function correlationIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given !== null && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
}
