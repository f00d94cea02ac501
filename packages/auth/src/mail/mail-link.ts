/**
 * The address of a page with a token in its fragment, which browsers do not send to servers and servers do not log. A
 * page that routes by its fragment (`/app#/reset`) gets the token as a parameter of that route.
 *
 * @param page absolute URL, from the configuration: nothing of a request is in a link.
 */
export function mailLink(page: string, token: string): string {
  const url = new URL(page)
  const parameter = `token=${encodeURIComponent(token)}`
  const { hash } = url
  if (hash === '') url.hash = parameter
  else url.hash = `${hash}${hash.includes('?') ? '&' : '?'}${parameter}`
  return url.href
}
