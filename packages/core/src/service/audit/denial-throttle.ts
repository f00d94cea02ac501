/** @module Throttles entries for repeated refusals: above a limit per minute they are counted instead of written. */
import { LRUCache } from 'lru-cache'
import { addressKey } from '../../foundation/address-key.ts'
import type { DenialEvent } from '../../foundation/audit-event.ts'

/** Refusals that were counted instead of written one by one. */
export interface Repeated {
  readonly ip: string | undefined
  readonly via: string
  readonly error: string
  readonly count: number
}

export interface DenialThrottle {
  /** Is the event written as its own entry? Events of known callers always are. */
  admit(event: DenialEvent): boolean
  /** Takes the counts of past minutes; with `all`, those of the current one too. */
  take(all: boolean): readonly Repeated[]
  /** Are there counts for `take`? */
  readonly hasCounted: () => boolean
}

/** Entries for each address and error in a minute. */
const mostWritten = 100

const windowMs = 60_000

/** Addresses kept at a time; the counts of an evicted address are available to `take` at once. */
const mostAddresses = 10_000

interface Window {
  readonly startMs: number
  readonly ip: string | undefined
  readonly via: string
  readonly error: string
  written: number
  counted: number
}

export function createDenialThrottle(clock: () => number): DenialThrottle {
  const over: Repeated[] = []
  const close = ({ ip, via, error, counted }: Window) => {
    if (counted > 0) over.push({ ip, via, error, count: counted })
  }
  const windows = new LRUCache<string, Window>({
    max: mostAddresses,
    dispose: (window, _, reason) => {
      if (reason === 'evict') close(window)
    },
  })
  const counting = new Set<string>()

  return {
    admit: ({ caller, ip, via, error }) => {
      if (caller !== undefined) return true
      const nowMs = clock()
      const key = `${addressKey(ip)} ${via} ${error}`
      let window = windows.get(key)
      if (window === undefined || nowMs - window.startMs >= windowMs || nowMs < window.startMs) {
        if (window !== undefined) close(window)
        window = { startMs: nowMs, ip, via, error, written: 0, counted: 0 }
        windows.set(key, window)
        counting.delete(key)
      }
      if (window.written < mostWritten) {
        window.written += 1
        return true
      }
      window.counted += 1
      counting.add(key)
      return false
    },
    take: (all) => {
      const nowMs = clock()
      for (const key of counting) {
        const window = windows.peek(key)
        const isOver = window === undefined || all || nowMs - window.startMs >= windowMs
        if (!isOver) continue
        counting.delete(key)
        if (window === undefined) continue
        close(window)
        window.counted = 0
      }
      return over.splice(0)
    },
    hasCounted: () => counting.size > 0 || over.length > 0,
  }
}
