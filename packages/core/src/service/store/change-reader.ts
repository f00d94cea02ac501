/** @module Reads the change counter: one reading serves all requests that wait for it. */
import { GatewayError } from '../../foundation/errors.ts'
import { type ReadingsAtOnce, shareReadings } from '../../foundation/shared-reading.ts'
import { withTimeout } from '../../foundation/with-timeout.ts'
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
    : createDirectReader(database.createReader(countSql(database.kind)), requireReady)
}

/** Changes of counters by this process, whichever service database they were in. */
let changesHere = 0

/**
 * One reading serves the requests of one turn of the event loop: they had arrived when the turn began, and other processes can
 * tell nobody of a later change before the next one. A change by this process ends it.
 */
function createDirectReader(readNow: () => number, requireReady: () => void): ChangeReader {
  let ofThisTurn: { readonly count: number; readonly changesHere: number } | undefined
  const endTurn = () => {
    ofThisTurn = undefined
  }
  return {
    read: () => {
      requireReady()
      if (ofThisTurn?.changesHere === changesHere) return ofThisTurn.count
      try {
        if (ofThisTurn === undefined) setImmediate(endTurn)
        ofThisTurn = { changesHere, count: readNow() }
        return ofThisTurn.count
      } catch (error) {
        throw storeError(error)
      }
    },
    forget: () => {
      changesHere += 1
    },
    close: endTurn,
  }
}

/** How long a reading waits for an answer before it tries another connection, in milliseconds. */
const patienceMs = 2_000

/** A request that arrives during a reading waits for its answer first, unless that is slow: two readings cost twice as much. */
const atOnce: ReadingsAtOnce = { most: 2, slowMs: 8 }

/** Readings after a loss differ from those before it; steps of the counter are shorter or longer. */
const lossStep = 2 ** 19

/** Keeps the connections of its readings. */
function createSharedReader(
  database: ServiceDatabase,
  requireReady: () => void,
  elapsedMs: () => number,
): ChangeReader {
  const readSql = countSql(database.kind)
  const kept: ServiceConnection[] = []
  let last: { readonly count: number; readonly beganMs: number } | undefined
  /** Increases with every change by this node: a reading that began before it is not kept after it. */
  let ownChanges = 0
  let isClosed = false
  /** Increases with every lost connection: the server may have been started again from a backup with the same counter. */
  let losses = 0

  const release = () => {
    for (const connection of kept.splice(0)) connection.release()
  }
  /** A connection that does not answer is left to its own time limit, and later readings use another one. */
  const executeOn = async (connection: ServiceConnection): Promise<ServiceResult> => {
    const work = connection.execute(readSql, [])
    try {
      const result = await withTimeout(patienceMs, work)
      kept.push(connection)
      if (isClosed) release()
      return result
    } catch (error) {
      const done = () => connection.release()
      work.then(done, done)
      throw error instanceof GatewayError ? error : unavailable(error)
    }
  }
  const execute = async (): Promise<ServiceResult> => {
    const connection = kept.pop()
    if (connection !== undefined) {
      try {
        return await executeOn(connection)
      } catch {
        // The connection may have been lost while it was idle; a new one shows whether the database can be reached.
        losses += 1
      }
    }
    return executeOn(await database.acquire())
  }
  const readOnce = async (): Promise<number> => {
    const beganMs = elapsedMs()
    const before = ownChanges
    requireReady()
    try {
      const { rows } = await execute()
      const value: unknown = Reflect.get(rows[0] ?? {}, 'value')
      if (typeof value !== 'number') throw new Error('engine_changes lacks its row')
      const count = value + losses * lossStep
      const isLatest = last === undefined || beganMs >= last.beganMs
      if (before === ownChanges && isLatest) last = { count, beganMs }
      return count
    } catch (error) {
      throw storeError(error)
    }
  }
  const read = shareReadings(readOnce, atOnce)
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

function unavailable(cause: unknown): GatewayError {
  const message = 'The service is not available at the moment.'
  return new GatewayError('unavailable', message, { cause, sqlState: '08006' })
}
