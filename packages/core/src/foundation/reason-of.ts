/** The most characters; drivers may write long texts. */
const mostLength = 200

/** The most nested errors that are followed. */
const mostDepth = 10

/** The password of a URL. */
const passwordInUrl = /(?<=:\/\/[^\s/?#@:"]{0,200}:)[^\s/?#@"]+(?=@)/g

/**
 * The driver's own message at the end of a chain of causes: `connect ECONNREFUSED 127.0.0.1:5432`, `password authentication
 * failed for user "shop"`.
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

/** Some network errors have a code and no message. */
function wordsOf(error: Error): string {
  const code = 'code' in error ? String(error.code) : error.name
  return error.message === '' ? code : error.message
}
