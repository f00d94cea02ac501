import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { databaseFault, describeFault, faultError, isBusy } from '../../errors/fault.ts'
import { registerFunctions } from '../../functions/register/register-functions.ts'
import type { DatabaseLocation } from '../location.ts'
import { registerRowSizeGuard } from '../row-size-guard.ts'
import { createSizeCheck } from './size-check.ts'
import { createStatementCache, type StatementCache } from './statement-cache.ts'
import { type LockWait, whileBusy } from './while-busy.ts'

/** One open database with its cached facts. Everything on it is synchronous. */
export interface Connection extends LockWait {
  readonly database: Database.Database
  readonly prepare: StatementCache
  /** The maximum size of a row, where a statement checks it. In bytes. */
  readonly maxRowBytes: number
  /**
   * Compares the database's version of its schema with the introspected one.
   *
   * @throws a fault `schemaChanged`.
   */
  checkSchema(expectedVersion: number | undefined): void
  /** Is the whole database so small that any part of it may be in memory? It looks only from time to time. */
  isSmall(): boolean
  close(): void
}

/** `full`: a commit waits for the disk, and survives a power failure. `normal`: only checkpoints wait. */
export type Synchronous = 'full' | 'normal'

export interface ConnectionOptions extends LockWait {
  readonly location: DatabaseLocation
  /** Only the writer can change the database; a `reader` is opened read-only. */
  readonly role: 'reader' | 'writer'
  readonly maxRowBytes: number
  /** SQL to run in a database that was empty. */
  readonly setup: string | undefined
  readonly synchronous: Synchronous
}

/** SQLite itself waits this long for a lock; then the adapter checks whether the statement was stopped. In milliseconds. */
const nativeLockTimeoutMs = 50

/**
 * How long to wait for other processes to let the mode of the file be changed. Of those that open it at the same time,
 * SQLite refuses all but one at once. In milliseconds.
 */
const modeTimeoutMs = 200

/** @throws the driver's error when the file is missing or is not a database. */
export function openConnection(options: ConnectionOptions): Connection {
  // Opening a file may also take a lock: after a crash, or when its mode is changed.
  return whileBusy(options, () => tryToOpen(options))
}

function tryToOpen(options: ConnectionOptions): Connection {
  const { location, interrupt, lockTimeoutMs, maxRowBytes } = options
  const isReader = options.role === 'reader'
  if (!location.isMemory && !location.create && !existsSync(location.filename)) {
    throw faultError(databaseFault('08001', noFile(location.filename)))
  }
  const database = openFile(location, {
    readonly: isReader && !location.isMemory,
    fileMustExist: !location.create,
    timeout: Math.min(nativeLockTimeoutMs, lockTimeoutMs),
  })
  try {
    configure(database, isReader)
    if (!isReader && !location.isMemory) useWriteAheadLog(database, options)
    registerFunctions(database, { interrupt: interrupt.check, matching: interrupt.matching })
    registerRowSizeGuard(database)
    if (!isReader && options.setup !== undefined) runSetup(database, options.setup)
  } catch (error) {
    database.close()
    throw withFilename(error, location)
  }
  return {
    database,
    prepare: createStatementCache(database),
    interrupt,
    lockTimeoutMs,
    maxRowBytes,
    checkSchema: createSchemaCheck(database),
    isSmall: createSizeCheck(database),
    close: () => database.close(),
  }
}

function openFile(location: DatabaseLocation, options: Database.Options): Database.Database {
  try {
    return new Database(location.filename, options)
  } catch (error) {
    // A missing directory is an error of the driver, not of SQLite.
    if (error instanceof TypeError) throw faultError(databaseFault('08001', error))
    throw withFilename(error, location)
  }
}

/** SQLite does not say which file it cannot open, or which is no database. */
function withFilename(error: unknown, { filename }: DatabaseLocation): unknown {
  const fault = describeFault(error)
  if (fault.kind !== 'database' || !/^SQLITE_(CANTOPEN|NOTADB)/.test(fault.cause.code ?? '')) {
    return error
  }
  const message = `${fault.cause.message}: ${filename}`
  return faultError({ ...fault, cause: { ...fault.cause, message } })
}

function noFile(filename: string): Error {
  return new Error(`there is no file ${filename} ("create": true of the connection makes one)`)
}

function configure(database: Database.Database, isReader: boolean): void {
  database.defaultSafeIntegers(true)
  // Functions in the schema of a foreign file are not to be trusted.
  database.pragma('trusted_schema = OFF')
  database.pragma('cell_size_check = ON')
  database.pragma('foreign_keys = ON')
  if (isReader) database.pragma('query_only = ON')
  // A file that is not a database is detected here, not by the first client.
  database.prepare('select count(*) from sqlite_schema').get()
}

/**
 * Readers and the writer do not block each other in this mode. A file that may not be written, or that another process is using right now, keeps the mode it has.
 */
function useWriteAheadLog(
  database: Database.Database,
  { synchronous, interrupt, lockTimeoutMs }: ConnectionOptions,
): void {
  if (database.pragma('journal_mode', { simple: true }) !== 'wal') {
    try {
      whileBusy({ lockTimeoutMs: Math.min(modeTimeoutMs, lockTimeoutMs), interrupt }, () =>
        database.pragma('journal_mode = WAL'),
      )
    } catch (error) {
      if (!isBusy(error) && !isReadOnly(error)) throw error
    }
  }
  const isLogged = database.pragma('journal_mode', { simple: true }) === 'wal'
  // Only with a write-ahead log does NORMAL keep the file whole after a power failure.
  database.pragma(`synchronous = ${isLogged ? synchronous : 'full'}`)
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_READONLY')
}

function runSetup(database: Database.Database, setup: string): void {
  const isEmpty = database.prepare('select count(*) from sqlite_schema').pluck().get() === 0n
  if (isEmpty) database.transaction(() => database.exec(setup)).exclusive()
}

function createSchemaCheck(database: Database.Database): Connection['checkSchema'] {
  const statement = database.prepare<[], number>('pragma schema_version').pluck()
  const version = statement.safeIntegers(false)
  return (expected) => {
    if (expected === undefined || version.get() === expected) return
    throw faultError({ kind: 'schemaChanged' })
  }
}
