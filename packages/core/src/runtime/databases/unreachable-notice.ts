import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reason-of.ts'

/** While a database is away, the log says so once in so many milliseconds. */
const quietMs = 60_000

/**
 * Says in the log, in one line with the cause, that a database cannot be reached: at once, and then once a minute at most.
 *
 * @param what `database`, `the service database`
 * @param facts stand before the cause: `{ connection: 'main' }`.
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
