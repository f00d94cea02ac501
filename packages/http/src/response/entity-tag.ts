import { createHash } from 'node:crypto'

/** A strong validator of an answer, with its quotes: equal parts give equal tags. */
export function entityTag(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return `"${hash.digest('base64url')}"`
}

/**
 * Returns whether an `If-None-Match` header contains this tag. Weak tags count as strong ones.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false
  if (header.trim() === '*') return true
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag)
}
