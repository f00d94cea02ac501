import type { IncomingRequest } from '../request/incoming-request.ts'

/** The token of `Authorization: Bearer <token>`; undefined when the request has none. */
export function bearerToken(request: Pick<IncomingRequest, 'headers'>): string | undefined {
  const header = request.headers.get('authorization')
  const match = header === null ? null : /^bearer +(\S(?:.*\S)?)\s*$/i.exec(header)
  return match?.[1]
}
