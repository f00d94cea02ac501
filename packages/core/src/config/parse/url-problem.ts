/** `postgres://`, `rediss://`: not a path, and not `file:`, whose names may have any character. */
const server = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i

const encodings: Readonly<Record<string, string>> = { '#': '%23', '/': '%2F', '?': '%3F' }

/**
 * Reports a character of a password that ends the password part of a URL: then the URL is a different one, or invalid. The
 * message quotes nothing of the URL.
 *
 * @returns undefined for a path, and for a URL without such a character.
 */
export function urlProblem(url: string): string | undefined {
  if (!server.test(url)) return undefined
  const rest = url.replace(server, '')
  if (rest.includes('#')) return advice('#')
  const end = rest.search(/[/?]/)
  const authority = rest.slice(0, end)
  const tail = end < 0 ? '' : rest.slice(end)
  const isInPassword = /^[^@[]*:(?!\d*$)[^@]*$/.test(authority) && tail.includes('@')
  // `app:pa@s/s@db.test/shop`: a second host and path follow an `@` that is not in a parameter.
  const isAfterAt = /^[^@[]*:[^@]*@/.test(authority) && /^[^=@]*@[^/?@=&]+\/[^/]*$/.test(tail)
  const isCut = isInPassword || isAfterAt
  return isCut ? advice(rest.charAt(end)) : undefined
}

function advice(character: string): string {
  return `has a "${character}" where a URL ends its host: in a user name or password write ${encodings[character]}`
}
