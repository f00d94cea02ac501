/** @module A SQLite file as the service database: one connection in this thread, protected by a lock. */
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@engine/core/adapter'
import {
  type ServiceConnection,
  type ServiceDatabaseFactory,
  type ServiceResult,
  type StoreValue,
  serviceWaitMs,
} from '@engine/core/driver'
import Database from 'better-sqlite3'
import { createFifoLock } from '../driver/fifo-lock.ts'
import { databaseLocation } from '../driver/location.ts'
import { driverError } from '../errors/driver-error.ts'
import { describeFault, isBusy } from '../errors/fault.ts'
import { lockTimeoutMs, openServiceFile } from './service-file.ts'
import { createServiceWriter } from './service-writer.ts'

/** SQLite itself waits this long for a lock and blocks the thread meanwhile; then other requests get a turn. */
const nativeLockTimeoutMs = 20

/** Pause between two attempts to get a lock, in milliseconds. */
const lockPauseMs = 15

/**
 * Opens a SQLite file, created if it does not exist, readable by its owner only. Its directory must exist.
 *
 * @throws {GatewayError} `invalidConfiguration` when it cannot be opened.
 */
export const serviceDatabase: ServiceDatabaseFactory = (url) => {
  const { filename, isMemory, readOnly } = databaseLocation(url)
  if (readOnly) throw refused('service_db: the file is read-only.')
  const database = open(filename, isMemory)
  const connection = connectionOn(database)
  const lock = createFifoLock(serviceWaitMs)
  /** Reads committed data only. A private database has just one connection. */
  const reading = isMemory ? database : openForReading(filename)
  const writer = isMemory ? undefined : createServiceWriter(filename)
  return {
    kind: 'sqlite',
    isShared: false,
    acquire: async () => {
      const release = await lock.acquire()
      return { ...connection, release }
    },
    createReader: (sql) => createReader(reading, sql, !isMemory),
    ...(writer === undefined ? {} : { writeElsewhere: writer.write }),
    close: async () => {
      await lock.close()
      await writer?.close()
      reading.close()
      database.close()
    },
  }
}

function open(filename: string, isMemory: boolean): Database.Database {
  try {
    if (!isMemory) closeSync(openSync(filename, 'a', 0o600))
    const database = openServiceFile(filename)
    database.pragma(`busy_timeout = ${nativeLockTimeoutMs}`)
    return database
  } catch (cause) {
    throw refused(
      `service_db: ${filename} cannot be opened as a SQLite database: ${reasonOf(cause)}`,
      cause,
    )
  }
}

function openForReading(filename: string): Database.Database {
  const database = new Database(filename, { readonly: true, timeout: nativeLockTimeoutMs })
  database.pragma('trusted_schema = OFF')
  return database
}

/**
 * Reads the row again only after another connection has committed: `data_version` changes with that, and costs a
 * microsecond.
 *
 * @param hasOthers false for a private database, which is read each time.
 */
function createReader(database: Database.Database, sql: string, hasOthers: boolean): () => number {
  const versionStatement = database.prepare('pragma data_version').pluck()
  let statement: Database.Statement | undefined
  let known: { readonly version: unknown; readonly number: number } | undefined
  return () => {
    const version = hasOthers ? versionStatement.get() : undefined
    if (known !== undefined && hasOthers && known.version === version) return known.number
    try {
      statement ??= database.prepare(sql).pluck()
      const number = statement.get()
      if (typeof number !== 'number') throw new Error('the statement returned no number')
      known = { version, number }
      return number
    } catch (error) {
      throw driverError(describeFault(error), true)
    }
  }
}

function connectionOn(database: Database.Database): Omit<ServiceConnection, 'release'> {
  const prepare = createCache(database)
  const execute = async (
    sql: string,
    parameters: readonly StoreValue[],
  ): Promise<ServiceResult> => {
    const giveUpAt = performance.now() + lockTimeoutMs
    for (;;) {
      try {
        return run(prepare(sql), parameters)
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) {
          throw driverError(describeFault(error), true)
        }
      }
      await sleep(lockPauseMs)
    }
  }
  const command = async (sql: string): Promise<void> => void (await execute(sql, []))
  return {
    execute,
    // Takes the lock for writing at the start: so a transaction cannot fail at its end because data that it read has changed.
    begin: () => command('begin immediate'),
    commit: () => command('commit'),
    rollBack: async () => {
      if (database.inTransaction) await command('rollback')
    },
  }
}

type Statement = Database.Statement<unknown[], object>

function run(statement: Statement, parameters: readonly StoreValue[]): ServiceResult {
  const values = parameters.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value) : value,
  )
  if (statement.reader) {
    const rows = statement.all(...values)
    return { rows, affectedRows: statement.readonly ? undefined : rows.length }
  }
  const { changes } = statement.run(...values)
  return { rows: [], affectedRows: changes }
}

/** The most cached prepared statements. */
const mostStatements = 200

/** Prepares a text once, and caches it while it is in use. */
function createCache(database: Database.Database): (sql: string) => Statement {
  const statements = new Map<string, Statement>()
  return (sql) => {
    const known = statements.get(sql)
    statements.delete(sql)
    const statement = known ?? database.prepare<unknown[], object>(sql)
    statements.set(sql, statement)
    const [oldest] = statements.keys()
    if (statements.size > mostStatements && oldest !== undefined) statements.delete(oldest)
    return statement
  }
}

/** What SQLite or the operating system says, as a sentence. */
function reasonOf(cause: unknown): string {
  const { message } = cause instanceof Error ? cause : new Error(String(cause))
  return message.endsWith('.') ? message : `${message}.`
}

function refused(message: string, cause?: unknown): GatewayError {
  return new GatewayError('invalidConfiguration', message, { cause })
}
