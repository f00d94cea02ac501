/** @module Reads the change counter: one reading serves all requests that wait for it. */
import { shareReadings } from '../../foundation/shared-reading.ts'
import { countSql } from './change-counter.ts'
import type { ServiceConnection, ServiceDatabase, ServiceResult } from './service-database.ts'
import { storeError } from './store-error.ts'

export interface ChangeReaderOptions {
  readonly database: ServiceDatabase
  /** Throws while the tables are not up to date. */
  readonly requireReady: () => void
  /** Milliseconds of any origin, never set back. */
  readonly elapsedMs?: () => number
}

export interface ChangeReader {
  /** As `Store.changeCount`. */
  read(maxAgeMs?: number): number | Promise<number>
  /** This node has changed the counter: earlier readings are not good enough for any age. */
  forget(): void
  /** Gives the connection back. */
  close(): void
}

export function createChangeReader(options: ChangeReaderOptions): ChangeReader {
  const { database, requireReady, elapsedMs = () => performance.now() } = options
  return database.createReader === undefined
    ? createSharedReader(database, requireReady, elapsedMs)
    : createDirectReader(database.createReader(countSql), requireReady)
}

/** A reading takes so little time that none is remembered. */
function createDirectReader(readNow: () => number, requireReady: () => void): ChangeReader {
  return {
    read: () => {
      requireReady()
      try {
        return readNow()
      } catch (error) {
        throw storeError(error)
      }
    },
    forget: () => undefined,
    close: () => undefined,
  }
}

/** Keeps one connection for its readings. */
function createSharedReader(
  database: ServiceDatabase,
  requireReady: () => void,
  elapsedMs: () => number,
): ChangeReader {
  let kept: ServiceConnection | undefined
  let last: { readonly count: number; readonly beganMs: number } | undefined
  /** Increases with every change by this node: a reading that began before it is not kept after it. */
  let ownChanges = 0
  let isClosed = false

  const release = () => {
    kept?.release()
    kept = undefined
  }
  const execute = async (): Promise<ServiceResult> => {
    if (kept !== undefined) {
      try {
        return await kept.execute(countSql, [])
      } catch {
        // The connection may have been lost while it was idle; a new one shows whether the database can be reached.
        release()
      }
    }
    kept = await database.acquire()
    return kept.execute(countSql, [])
  }
  const readOnce = async (): Promise<number> => {
    const beganMs = elapsedMs()
    const before = ownChanges
    requireReady()
    try {
      const { rows } = await execute()
      const count: unknown = Reflect.get(rows[0] ?? {}, 'value')
      if (typeof count !== 'number') throw new Error('engine_changes lacks its row')
      if (before === ownChanges) last = { count, beganMs }
      return count
    } catch (error) {
      release()
      throw storeError(error)
    } finally {
      if (isClosed) release()
    }
  }
  const read = shareReadings(readOnce)
  return {
    read: (maxAgeMs = 0) => {
      const isGoodEnough = last !== undefined && elapsedMs() - last.beganMs < maxAgeMs
      return last !== undefined && isGoodEnough ? last.count : read()
    },
    forget: () => {
      ownChanges += 1
      last = undefined
    },
    close: () => {
      isClosed = true
      release()
    },
  }
}
