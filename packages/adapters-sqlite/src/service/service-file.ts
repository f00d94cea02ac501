/** @module Opens the file of a service database. */
import Database from 'better-sqlite3'
import { whileBusy } from '../driver/connection/while-busy.ts'

/** How long to wait for a lock that another process holds, in milliseconds. */
export const lockTimeoutMs = 5_000

/** Statements on this connection wait for locks, and block their thread meanwhile. So does the opening. */
export function openServiceFile(filename: string): Database.Database {
  // Of processes that open a new file at the same time, SQLite lets one change its mode, and tells the others at once
  // that it is locked: to wait in its own way could be a deadlock.
  return whileBusy({ lockTimeoutMs }, () => tryToOpen(filename))
}

function tryToOpen(filename: string): Database.Database {
  const database = new Database(filename, { timeout: lockTimeoutMs })
  try {
    database.pragma('journal_mode = WAL')
    // An acknowledged write survives a power failure.
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('trusted_schema = OFF')
    database.prepare('select count(*) from sqlite_schema').get()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
