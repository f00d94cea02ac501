import { randomUUID } from 'node:crypto'

/** The client's `X-Request-Id` where it is sane (1 to 128 letters, digits, `.`, `_`, `-`), else a new UUID. */
export function correlationIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given !== null && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
}
