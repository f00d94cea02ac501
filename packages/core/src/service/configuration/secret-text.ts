/** @module Secrets inside of a text: a token, or a URL with a password. Shown as `***`. */

/** Stands for a stored secret: shown in its place, and accepted for "keep the stored one". */
export const mask = '***'

/** `postgres://user:SECRET@host/db?authToken=SECRET`: every second item is a secret. */
type Pieces = readonly string[]

const password = /^([a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:)(.*)(@[^@]*)$/i

const parameter = /([?&][^=&#]*(?:token|password|secret|passphrase|key)[^=&#]*=)([^&#]*)/gi

/** Literal text and secrets by turns; the first and the last are literal. */
function piecesOf(url: string): Pieces {
  const found = password.exec(url)
  const head = found === null ? [] : [found[1] ?? '', found[2] ?? '']
  const rest = found === null ? url : (found[3] ?? '')
  const tail: string[] = []
  let from = 0
  for (const match of rest.matchAll(parameter)) {
    const [, name = '', secret = ''] = match
    const start = match.index + name.length
    tail.push(rest.slice(from, start), secret)
    from = start + secret.length
  }
  return [...head, ...tail, rest.slice(from)]
}

/** Is it the URL of a server? Paths and `file:` URLs hold no secrets. */
export function isServerUrl(text: string): boolean {
  return /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(text)
}

/** The same URL with `***` for each of its secrets. */
export function maskedUrl(url: string): string {
  return piecesOf(url)
    .map((piece, i) => (i % 2 === 1 && piece !== '' ? mask : piece))
    .join('')
}

/** Does it have a `***` in place of a secret? */
export function isMaskedUrl(url: string): boolean {
  return piecesOf(url).some((piece, i) => i % 2 === 1 && piece === mask)
}

/**
 * The URL with the stored secrets where it has `***`. Only the name of the database may differ from the stored URL: a stored
 * password is sent to no other server, and under no other parameters.
 *
 * @returns undefined when it differs otherwise.
 */
export function unmaskedUrl(url: string, stored: string): string | undefined {
  const pieces = piecesOf(url)
  const known = piecesOf(stored)
  if (pieces.length !== known.length) return undefined
  if (withoutPath(maskedUrl(url)) !== withoutPath(maskedUrl(stored))) return undefined
  return pieces.map((piece, i) => (i % 2 === 1 && piece === mask ? known[i] : piece)).join('')
}

function withoutPath(url: string): string {
  return url.replace(/^([^:]*:\/\/[^/?#]*)[^?#]*/, '$1')
}
