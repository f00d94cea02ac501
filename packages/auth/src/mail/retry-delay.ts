const firstMs = 2_000
const factor = 3
const longestMs = 6 * 3_600_000

/**
 * How long to wait after a failed try. After an outage of seconds mails go out soon; during an outage of hours tries become
 * ever rarer.
 *
 * @param attempts tries so far, 1 or more. @returns milliseconds: 2 s, 6 s, 18 s, 54 s ... 6 h.
 */
export function retryDelayMs(attempts: number): number {
  return Math.min(firstMs * factor ** (attempts - 1), longestMs)
}
