const firstMs = 2_000
const factor = 3
const longestMs = 6 * 3_600_000

/**
 * The wait after a failed attempt. After an outage of seconds mails are sent soon; during an outage of hours attempts
 * become less frequent.
 *
 * @param attempts number of attempts so far, 1 or more. @returns milliseconds: 2 s, 6 s, 18 s, 54 s ... 6 h.
 */
export function retryDelayMs(attempts: number): number {
  return Math.min(firstMs * factor ** (attempts - 1), longestMs)
}
