/** @module Waits for a concurrency slot, runs work in it, releases it. */

import type { Settings } from '../../config/settings/settings.ts'
import { addressKey } from '../../foundation/address-key.ts'
import type { Caller } from '../../foundation/caller.ts'
import { withAbortDeadline } from '../../foundation/deadline.ts'
import { finishing } from '../../foundation/finishing.ts'
import type { Concurrency, ConcurrencyOptions, SlotKey, WaitOptions } from './concurrency.ts'

/** Connections in an adapter's pool, by default. */
export const defaultPoolSize = 16

/** Statements admitted per pooled connection. More than one, so the pool never idles; few, so its own queue stays short. */
const slotsPerPooledConnection = 4

/** The concurrency limits that `limits` configures. */
export function concurrencyLimits({
  limits,
  connections,
}: Pick<Settings, 'limits' | 'connections'>): ConcurrencyOptions {
  const { maxConcurrentPerCaller, maxConcurrentPerConnection, maxQueued } = limits
  return {
    perCaller: maxConcurrentPerCaller,
    perConnection: new Map(
      [...connections.values()].map(({ name, poolMax = defaultPoolSize }) => [
        name,
        maxConcurrentPerConnection ?? slotsPerPooledConnection * poolMax,
      ]),
    ),
    maxQueued,
  }
}

/**
 * The key that counts a caller's statements: its id, or its address where callers have no id.
 *
 * @returns undefined for the master key, which is not counted, and for the application's own code.
 */
export function concurrencyKey(caller: Caller, ip: string | undefined): string | undefined {
  if (caller.kind === 'admin') return undefined
  return caller.kind === 'user' ? caller.id : ip && addressKey(ip)
}

/** The part of the timeout that may be spent waiting without being taken off it: measuring it costs more than it is worth. */
const negligiblePart = 0.01

/**
 * Runs `work` when a slot is free. The time spent waiting is taken off its timeout, unless it is negligible.
 *
 * @throws {GatewayError} see `Concurrency.enter`; the error of `work`.
 */
export function withSlot<T>(
  concurrency: Concurrency,
  key: SlotKey,
  wait: WaitOptions,
  work: (wait: WaitOptions) => Promise<T>,
): Promise<T> {
  let turn: Promise<number> | undefined
  try {
    turn = concurrency.enter(key, wait)
  } catch (error) {
    return Promise.reject(error)
  }
  const leave = () => concurrency.leave(key)
  if (turn === undefined) return finishing(() => work(wait), leave)
  return turn.then((waitedMs) => {
    const isShort = waitedMs <= wait.timeoutMs * negligiblePart
    return finishing(() => (isShort ? work(wait) : withTimeLeft(waitedMs, wait, work)), leave)
  })
}

/** The statement's own timeout stays as it is: a database session keeps the timeout that was set last. */
function withTimeLeft<T>(
  waitedMs: number,
  { timeoutMs, signal }: WaitOptions,
  work: (wait: WaitOptions) => Promise<T>,
): Promise<T> {
  const leftMs = Math.max(1, timeoutMs - waitedMs)
  return withAbortDeadline(leftMs, signal, (either) => work({ timeoutMs, signal: either }))
}
