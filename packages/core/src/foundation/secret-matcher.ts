import { hash, timingSafeEqual } from 'node:crypto'

/** How other credentials begin: JSON Web Tokens, API keys. */
const beginnings = ['eyJ', 'ek_']

/**
 * Is a text this secret? Compares digests, so that the time taken reveals neither length nor content of the secret; only that it
 * does not begin like other credentials, which are not compared then.
 *
 * @param secret undefined: nothing matches.
 */
export function secretMatcher(secret: string | undefined): (candidate: string) => boolean {
  if (secret === undefined) return () => false
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const expected = digest(secret)
  const others = beginnings.filter((beginning) => !secret.startsWith(beginning))
  return (candidate) =>
    !others.some((beginning) => candidate.startsWith(beginning)) &&
    timingSafeEqual(digest(candidate), expected)
}
