/** @module Pauses before a process is started again. */

/** The first pause and the longest, in milliseconds: each is twice the last one. */
const pauses = { firstMs: 100, longestMs: 10_000 } as const

/** A process that ran for this number of milliseconds has not failed at its start. */
const soundMs = 60_000

export interface BackOff {
  /** The number of ends in a row, each soon after its start. */
  readonly failures: () => number
  /** @param ranMs milliseconds for which the process was ready. @returns milliseconds until the next start. */
  ended(ranMs: number): number
}

export function createBackOff(): BackOff {
  let failures = 0
  return {
    failures: () => failures,
    ended: (ranMs) => {
      failures = ranMs >= soundMs ? 1 : failures + 1
      return Math.min(pauses.firstMs * 2 ** (failures - 1), pauses.longestMs)
    },
  }
}
