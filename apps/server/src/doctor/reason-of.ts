import { createScrub } from '../scrub.ts'

/** Characters; drivers can be wordy. */
const mostLength = 200

/** Errors inside each other are followed so far. */
const mostDepth = 10

/**
 * What a driver said in the end: `connect ECONNREFUSED 127.0.0.1:5432`, `password authentication failed for user "shop"`.
 *
 * @param secrets a configuration, or the URL that was used; what is secret in it is left out.
 * @returns one line.
 */
export function reasonOf(error: unknown, secrets: unknown): string {
  const { scrub, protect } = createScrub()
  protect(secrets)
  const first = deepest(error, mostDepth)
  const text = first instanceof Error ? wordsOf(first) : String(first)
  return scrub(text).replace(/\s+/g, ' ').slice(0, mostLength)
}

function deepest(error: unknown, depth: number): unknown {
  if (!(error instanceof Error) || depth === 0) return error
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : []
  const inner = first ?? error.cause
  return inner === undefined ? error : deepest(inner, depth - 1)
}

/** Some errors of the network have a code and no words. */
function wordsOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : error.name
  return error.message === '' ? code : error.message
}
