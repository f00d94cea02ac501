import { GatewayError } from '@engine/core'

/**
 * How long a request waits for what the service itself has to look up, in milliseconds. A service database that is there
 * but does not answer is one that is away.
 */
export const deadlines = {
  /** Who asks, and how often they have. */
  identity: 6_000,
  /** Accounts and sessions: passwords take their time. */
  accounts: 10_000,
} as const

/**
 * Waits for work for a limited time. Work that takes longer goes on to its end; its outcome is ignored.
 *
 * @throws {GatewayError} `unavailable` (503) when the time is up; what the work throws.
 */
export async function beforeDeadline<T>(milliseconds: number, work: Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const cause = new Error(`no answer within ${milliseconds} ms`)
      reject(
        new GatewayError('unavailable', 'The service is not available at the moment.', { cause }),
      )
    }, milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
