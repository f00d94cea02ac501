/** @module Keeps whoever is refused again and again from filling the database with it: the rest is counted. */
import { LRUCache } from 'lru-cache'
import { addressKey } from '../../foundation/address-key.ts'
import type { DenialEvent } from '../../foundation/audit-event.ts'

/** Refusals that were counted instead of written down one by one. */
export interface Repeated {
  readonly ip: string | undefined
  readonly via: string
  readonly error: string
  readonly count: number
}

export interface DenialThrottle {
  /** Shall it be written down by itself? Those of callers that are known always are. */
  admit(event: DenialEvent): boolean
  /** What was counted in minutes that are over; with `all`, in this one too. */
  take(all: boolean): readonly Repeated[]
  /** Something is counted that `take` will give. */
  readonly hasCounted: () => boolean
}

/** For each address and error, in a minute. */
const mostWritten = 100

const windowMs = 60_000

/** Addresses at a time; the counts of those that are pushed out are given out at once. */
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
