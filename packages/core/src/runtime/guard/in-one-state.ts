/** @module Transactions in which every statement sees one state of the database. */
import type { IsolationLevel, KnownTraits } from '../../compiler/catalog/database-traits.ts'
import type { Runnable } from './runnable.ts'
import { isSerializationFailure } from './write-checks.ts'

/** The most attempts at a transaction that other writers interrupt. */
const mostAttempts = 4

/**
 * Runs a transaction in which every statement sees one state; runs it again after a serialization failure.
 *
 * @param suspect the checked write that needs it.
 * @throws {GatewayError} `checkFailed` when the database has no such transaction, and when every attempt conflicted with another
 *   writer.
 */
export async function inOneState<T>(
  { oneStateIsolation }: Pick<KnownTraits, 'oneStateIsolation'>,
  { prepared }: Runnable,
  transaction: (isolation: IsolationLevel) => Promise<T>,
): Promise<T> {
  if (oneStateIsolation === undefined) throw prepared.checkFailure()
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    try {
      return await transaction(oneStateIsolation)
    } catch (error) {
      if (!isSerializationFailure(error)) throw error
    }
  }
  throw prepared.checkFailure()
}
