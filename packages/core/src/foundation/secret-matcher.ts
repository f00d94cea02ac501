import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Is a text this secret? Compares digests, so that the time taken reveals neither length nor content of the secret.
 *
 * @param secret undefined: nothing matches.
 */
export function secretMatcher(secret: string | undefined): (candidate: string) => boolean {
  if (secret === undefined) return () => false
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const expected = digest(secret)
  return (candidate) => timingSafeEqual(digest(candidate), expected)
}
