import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reason-of.ts'

/** While a database is unavailable, the log reports it once per this number of milliseconds. */
const quietMs = 60_000

/**
 * Logs in one line, with the cause, that a database cannot be reached: at once, and then at most once a minute.
 *
 * @param what `database`, `the service database`
 * @param facts are logged before the cause: `{ connection: 'main' }`.
 * @param clock milliseconds that only grow.
 */
export function createUnreachableNotice(
  what: string,
  facts: object,
  log: Log,
  clock: () => number,
): (error: unknown) => void {
  let nextMs = Number.NEGATIVE_INFINITY
  return (error) => {
    if (clock() < nextMs) return
    nextMs = clock() + quietMs
    const cause = reasonOf(error)
    log.warn({ ...facts, cause }, `${what} cannot be reached: ${cause}`)
  }
}
