/** @module Limits the transactions that clients hold open: each occupies a connection of its database. */
import type { KnownTraits } from '../../compiler/catalog/database-traits.ts'
import type { Settings } from '../../config/settings.ts'
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
}

/**
 * Transactions may occupy three quarters of a database's connections, those of one caller half: so single statements always find
 * a connection, and so does the next caller. Transactions that block no connection are not counted.
 */
export function openTransactionsOf(
  { connections, limits }: Pick<Settings, 'connections' | 'limits'>,
  traitsOf: (connection: string) => KnownTraits,
): OpenTransactions {
  const places = new Map(
    [...connections.values()].flatMap((connection): readonly [string, Concurrency][] => {
      if (traitsOf(connection.name).transactionsAtATime === 'shared') return []
      const { poolMax: pool = defaultPoolSize } = connection
      const most = Math.max(1, Math.floor((pool * 3) / 4))
      const perConnection = new Map([[connection.name, most]])
      const perCaller = Math.max(1, Math.floor(pool / 2))
      const { maxQueued } = limits
      return [[connection.name, createConcurrency({ perCaller, perConnection, maxQueued })]]
    }),
  )
  return {
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
