/** @module Waiting for a place, running in it, giving it back. */

import type { Settings } from '../../config/settings.ts'
import { addressKey } from '../../foundation/address-key.ts'
import type { Caller } from '../../foundation/caller.ts'
import { withAbortDeadline } from '../../foundation/deadline.ts'
import {
  type Concurrency,
  createConcurrency,
  type SlotKey,
  type WaitOptions,
} from './concurrency.ts'

/** Connections that an adapter opens where nothing else is configured. */
export const defaultPoolSize = 16

/** Statements let in at a time for each of an adapter's connections: it never waits for us, nor many for it. */
const slotsPerPooledConnection = 4

/** What `limits` says about how much may run at a time. */
export function concurrencyOf({ limits, connections }: Settings): Concurrency {
  const { maxConcurrentPerCaller, maxConcurrentPerConnection, maxQueued } = limits
  return createConcurrency({
    perCaller: maxConcurrentPerCaller,
    perConnection: new Map(
      [...connections.values()].map(({ name, poolMax = defaultPoolSize }) => [
        name,
        maxConcurrentPerConnection ?? slotsPerPooledConnection * poolMax,
      ]),
    ),
    maxQueued,
  })
}

/**
 * Under which a caller's statements are counted: its id; where callers have none, the address.
 *
 * @returns undefined for the master key, which is not counted, and for the application's own code.
 */
export function concurrencyKey(caller: Caller, ip: string | undefined): string | undefined {
  if (caller.kind === 'admin') return undefined
  return caller.kind === 'user' ? caller.id : ip && addressKey(ip)
}

/**
 * Runs `work` when there is room. Time spent waiting is time that it does not have.
 *
 * @throws {GatewayError} see `Concurrency.enter`; what `work` throws.
 */
export async function withSlot<T>(
  concurrency: Concurrency,
  key: SlotKey,
  wait: WaitOptions,
  work: (wait: WaitOptions) => Promise<T>,
): Promise<T> {
  const turn = concurrency.enter(key, wait)
  const waitedMs = turn === undefined ? 0 : await turn
  try {
    return await (waitedMs === 0 ? work(wait) : withTimeLeft(waitedMs, wait, work))
  } finally {
    concurrency.leave(key)
  }
}

/** The statement keeps its own limit: sessions remember the one that they were told last. */
function withTimeLeft<T>(
  waitedMs: number,
  { timeoutMs, signal }: WaitOptions,
  work: (wait: WaitOptions) => Promise<T>,
): Promise<T> {
  const leftMs = Math.max(1, timeoutMs - waitedMs)
  return withAbortDeadline(leftMs, signal, (either) => work({ timeoutMs, signal: either }))
}
