/** What a request carries as `Authorization: Bearer <token>`; undefined when it carries no such thing. */
export function bearerToken(request: Request): string | undefined {
  const header = request.headers.get('authorization')
  const match = header === null ? null : /^bearer +(\S(?:.*\S)?)\s*$/i.exec(header)
  return match?.[1]
}
