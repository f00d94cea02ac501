/** @module Limits the number of client connections. */

import { type Caller, GatewayError } from '@engine/core'
import { addressKey, isLoopback } from '@engine/core/server'

/** Connection slots of a server. Taking one throws 53300 when none is free. */
export interface ConnectionSlots {
  /** Takes a slot for a client that is not authenticated yet. @returns a function that releases the slot. */
  takeStarting(ip: string | undefined): () => void
  /** Throws when no slot is free. */
  requireFree(): void
  /** Takes a slot for an authenticated client. @returns a function that releases the slot. */
  take(caller: Caller): () => void
}

/** Clients that may log in at the same time, for any `maxConnections`. */
const leastStarting = 128

/** The last slots are reserved for users that hold less than half of all slots. */
const mostReserved = 10
const reservedShare = 20

/** @param maxConnections authenticated clients; as many others may be logging in. */
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
      // Clients from this machine may share a proxy: their address is not limited.
      const key = ip !== undefined && isLoopback(ip) ? undefined : addressKey(ip)
      const hasHalf = key !== undefined && starting.of(key) >= mostStarting / 2
      if (hasHalf || starting.total() >= mostStarting) throw tooMany()
      return starting.add(key)
    },
    requireFree,
    take: (caller) => {
      requireFree()
      // Anonymous callers are not counted as one user.
      const key = caller.kind === 'user' ? caller.id : undefined
      const isScarce = open.total() >= maxConnections - reserved
      if (isScarce && key !== undefined && open.of(key) >= maxConnections / 2) throw tooMany()
      return open.add(key)
    },
  }
}

/** Counts by key, and in total. */
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
