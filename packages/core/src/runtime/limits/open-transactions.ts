/** @module Limits the transactions that clients hold open: each occupies a connection of its database. */
import type { KnownTraits } from '../../compiler/catalog/database-traits.ts'
import type { Settings } from '../../config/settings/settings.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { type Concurrency, createConcurrency, type WaitOptions } from './concurrency.ts'
import { defaultPoolSize } from './with-slot.ts'

/** Slots for transactions that clients hold open. */
export interface OpenTransactions {
  /**
   * Takes a slot; if none is free, waits in turn with other callers.
   *
   * @param caller as in `Place`.
   * @returns a function that releases the slot; call it once.
   * @throws {GatewayError} `unavailable` (53300) when no slot became free in time or too many wait; `cancelled`.
   */
  enter(connection: string, caller: string | undefined, patience: WaitOptions): Promise<() => void>
  /** Replaces the limits; transactions that are open stay so. */
  change(settings: LimitedSettings, traitsOf: TraitsOf): void
}

type LimitedSettings = Pick<Settings, 'connections' | 'limits'>

type TraitsOf = (connection: string) => KnownTraits

/**
 * Transactions may occupy three quarters of a database's connections, those of one caller half: so single statements always find
 * a connection, and so does the next caller. Transactions that block no connection are not counted.
 */
export function openTransactionsOf(
  settings: LimitedSettings,
  traitsOf: TraitsOf,
): OpenTransactions {
  const places = new Map<string, Concurrency>()
  const change: OpenTransactions['change'] = ({ connections, limits: { maxQueued } }, traits) => {
    for (const name of places.keys()) {
      // Open transactions of a removed connection release their own slot.
      if (!connections.has(name)) places.delete(name)
    }
    for (const { name, poolMax: pool = defaultPoolSize } of connections.values()) {
      if (traits(name).transactionsAtATime === 'shared') {
        places.delete(name)
        continue
      }
      const most = Math.max(1, Math.floor((pool * 3) / 4))
      const perConnection = new Map([[name, most]])
      const perCaller = Math.max(1, Math.floor(pool / 2))
      const known = places.get(name)
      if (known === undefined) {
        places.set(name, createConcurrency({ perCaller, perConnection, maxQueued }))
      } else known.change({ perCaller, perConnection, maxQueued })
    }
  }
  change(settings, traitsOf)
  return {
    change,
    enter: async (connection, caller, patience) => {
      const own = places.get(connection)
      if (own === undefined) return () => undefined
      const place = { connection, caller }
      try {
        await own.enter(place, patience)
      } catch (error) {
        throw isTimeout(error) ? tooMany() : error
      }
      return () => own.leave(place)
    },
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof GatewayError && error.problem === 'queryTimeout'
}

function tooMany(): GatewayError {
  return new GatewayError('unavailable', 'Too many transactions are open: try again.', {
    sqlState: '53300',
  })
}
