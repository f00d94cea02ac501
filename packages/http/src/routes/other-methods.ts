/** What a request may have as its method: all that Node's HTTP server lets through. */
const methods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY'],
  ...['ACL', 'BIND', 'CHECKOUT', 'COPY', 'LINK', 'LOCK', 'M-SEARCH', 'MERGE', 'MKACTIVITY'],
  ...['MKCALENDAR', 'MKCOL', 'MOVE', 'NOTIFY', 'PROPFIND', 'PROPPATCH', 'PURGE', 'REBIND'],
  ...['REPORT', 'SEARCH', 'SOURCE', 'SUBSCRIBE', 'UNBIND', 'UNLINK', 'UNLOCK', 'UNSUBSCRIBE'],
]

/**
 * The methods that a path has not, for a route that refuses them. `all` would match the right ones too, and a second route
 * costs each of their requests.
 *
 * @param allowed the methods that it has; GET brings HEAD along.
 */
export function otherMethods(allowed: readonly string[]): string[] {
  const has = (method: string) =>
    allowed.includes(method) || (method === 'HEAD' && allowed.includes('GET'))
  return methods.filter((method) => !has(method))
}
