/** @module The wait of `pg_sleep()`. */
import type { SleepFunction } from '../../compiler/sql/sleep-call.ts'
import { parseInterval } from '../../compiler/sql-types/input/interval-parts.ts'
import { cancelled } from '../../foundation/adapter-errors.ts'
import { withAbortDeadline } from '../../foundation/deadline.ts'
import type { WaitOptions } from '../limits/concurrency.ts'

/** The longest delay of a timer, in milliseconds: far beyond any time limit. */
const longestDelay = 2 ** 31 - 1

/**
 * Resolves after `seconds`, at once after none.
 *
 * @throws {GatewayError} `queryTimeout` (57014) after `timeoutMs`, `cancelled` when the signal is aborted.
 */
export async function sleep(seconds: number, { timeoutMs, signal }: WaitOptions): Promise<void> {
  const milliseconds = Math.min(Math.ceil(seconds * 1000), longestDelay)
  if (signal?.aborted) throw cancelled()
  if (milliseconds === 0) return
  await withAbortDeadline(timeoutMs, signal, (either) => timer(milliseconds, either))
}

function timer(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timeout)
      reject(cancelled())
    }
    const timeout = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/**
 * @param text the argument, in the canonical text of its type; a timestamp in UTC
 * @returns 0 or more
 */
export function sleepSeconds(name: SleepFunction, text: string, nowMs: number): number {
  const seconds = secondsOf(name, text, nowMs)
  return Number.isNaN(seconds) ? 0 : Math.max(seconds, 0)
}

function secondsOf(name: SleepFunction, text: string, nowMs: number): number {
  switch (name) {
    case 'pg_sleep':
      return Number(text)
    case 'pg_sleep_for':
      return intervalSeconds(text)
    case 'pg_sleep_until':
      return (timestampMs(text) - nowMs) / 1000
  }
}

const secondsPerDay = 86_400
const daysPerMonth = 30

/** The length of a month makes no difference: every time limit is shorter. */
function intervalSeconds(text: string): number {
  const parts = parseInterval(text)
  if (typeof parts === 'string') return 0
  const days = parts.days + daysPerMonth * parts.months
  return days * secondsPerDay + Number(parts.microseconds) / 1e6
}

/** Years that `Date` cannot read are far in the past (BC), or far in the future. */
function timestampMs(text: string): number {
  if (text === '-infinity' || text.endsWith('BC')) return Number.NEGATIVE_INFINITY
  const read = Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`)
  return Number.isNaN(read) ? Number.POSITIVE_INFINITY : read
}
