/** Characters; drivers can be wordy. */
const mostLength = 200

/** Errors inside each other are followed so far. */
const mostDepth = 10

/** The password of a URL. */
const passwordInUrl = /(?<=:\/\/[^\s/?#@:"]{0,200}:)[^\s/?#@"]+(?=@)/g

/**
 * What a driver said in the end: `connect ECONNREFUSED 127.0.0.1:5432`, `password authentication failed for user "shop"`.
 *
 * @returns one line without passwords of URLs.
 */
export function reasonOf(error: unknown): string {
  const first = deepest(error, mostDepth)
  const text = first instanceof Error ? wordsOf(first) : String(first)
  return text.replace(passwordInUrl, '[redacted]').replace(/\s+/g, ' ').slice(0, mostLength)
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
