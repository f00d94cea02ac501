/** @module How many clients there may be. */

import { type Caller, GatewayError } from '@engine/core'
import { addressKey, isLoopback } from '@engine/core/server'

/** Places of a server; taking one throws 53300 when there is none. */
export interface ConnectionSlots {
  /** For a client that has not said yet who it is. @returns gives the place back. */
  takeStarting(ip: string | undefined): () => void
  /** Whether anybody could come in now. */
  requireFree(): void
  /** For a client that was let in. @returns gives the place back. */
  take(caller: Caller): () => void
}

/** Clients that may be logging in at a time, at least. */
const leastStarting = 128

/** The last places are not for somebody who has half of all already. */
const mostReserved = 10
const reservedShare = 20

/** @param maxConnections clients that are in. As many may be logging in. */
export function createConnectionSlots(maxConnections: number): ConnectionSlots {
  const mostStarting = Math.max(leastStarting, maxConnections)
  const reserved = Math.min(mostReserved, Math.floor(maxConnections / reservedShare))
  const starting = createTally()
  const open = createTally()

  const requireFree = () => {
    if (open.total() >= maxConnections) throw tooMany()
  }
  return {
    takeStarting: (ip) => {
      // What comes from this machine may come through a proxy.
      const key = ip !== undefined && isLoopback(ip) ? undefined : addressKey(ip)
      const hasHalf = key !== undefined && starting.of(key) >= mostStarting / 2
      if (hasHalf || starting.total() >= mostStarting) throw tooMany()
      return starting.add(key)
    },
    requireFree,
    take: (caller) => {
      requireFree()
      // Anonymous callers are not one.
      const key = caller.kind === 'user' ? caller.id : undefined
      const isScarce = open.total() >= maxConnections - reserved
      if (isScarce && key !== undefined && open.of(key) >= maxConnections / 2) throw tooMany()
      return open.add(key)
    },
  }
}

/** Counts by key, and all together. */
function createTally() {
  const counts = new Map<string, number>()
  let total = 0
  const change = (key: string | undefined, by: number) => {
    total += by
    if (key === undefined) return
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  return {
    total: () => total,
    of: (key: string) => counts.get(key) ?? 0,
    add: (key: string | undefined) => {
      change(key, 1)
      return () => change(key, -1)
    },
  }
}

function tooMany(): GatewayError {
  return new GatewayError('unavailable', 'sorry, too many clients already', { sqlState: '53300' })
}
