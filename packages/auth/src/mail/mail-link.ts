/**
 * The address of a page with a token in its fragment, which browsers do not send to servers and servers do not log. For
 * a page that routes by its fragment (`/app#/reset`) the token is a parameter of that route.
 *
 * @param page absolute URL, from the configuration: a link contains no part of a request.
 */
export function mailLink(page: string, token: string): string {
  const url = new URL(page)
  const parameter = `token=${encodeURIComponent(token)}`
  const { hash } = url
  if (hash === '') url.hash = parameter
  else url.hash = `${hash}${hash.includes('?') ? '&' : '?'}${parameter}`
  return url.href
}
