import { GatewayError } from '@engine/core'
import { noAnswerWithin, withTimeout } from '@engine/core/server'

/**
 * How long a request waits for look-ups of the service itself, in milliseconds. A service database that does not answer
 * in this time counts as unavailable.
 */
export const deadlines = {
  /** Authentication and rate limits. */
  identity: 6_000,
  /** Accounts and sessions: hashing passwords takes time. */
  accounts: 10_000,
} as const

/**
 * Waits for work for a limited time. Work that takes longer continues to its end; its outcome is ignored.
 *
 * @param isChange the error says that the outcome is not known.
 * @throws {GatewayError} `unavailable` (503) when the time is up; errors of the work.
 */
export function beforeDeadline<T>(
  milliseconds: number,
  work: Promise<T> | T,
  isChange = false,
): Promise<T> {
  if (!(work instanceof Promise)) return Promise.resolve(work)
  return withTimeout(milliseconds, work, () => {
    const cause = noAnswerWithin(milliseconds)
    const message = isChange
      ? 'There was no answer in time: it is not known whether this was done.'
      : 'The service is not available at the moment.'
    return new GatewayError('unavailable', message, { cause })
  })
}
