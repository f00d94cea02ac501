/** Possible methods of a request: all that Node's HTTP server accepts. */
const methods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY'],
  ...['ACL', 'BIND', 'CHECKOUT', 'COPY', 'LINK', 'LOCK', 'M-SEARCH', 'MERGE', 'MKACTIVITY'],
  ...['MKCALENDAR', 'MKCOL', 'MOVE', 'NOTIFY', 'PROPFIND', 'PROPPATCH', 'PURGE', 'REBIND'],
  ...['REPORT', 'SEARCH', 'SOURCE', 'SUBSCRIBE', 'UNBIND', 'UNLINK', 'UNLOCK', 'UNSUBSCRIBE'],
]

/**
 * The methods that a path does not have, for a route that refuses them. `all` would also match the right ones, and a
 * second route slows down each of their requests.
 *
 * @param allowed the methods of the path; GET includes HEAD.
 */
export function otherMethods(allowed: readonly string[]): string[] {
  const has = (method: string) =>
    allowed.includes(method) || (method === 'HEAD' && allowed.includes('GET'))
  return methods.filter((method) => !has(method))
}
