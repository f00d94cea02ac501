/** @module Opens the file of a service database. */
import Database from 'better-sqlite3'

/** How long to wait for a lock that another process holds, in milliseconds. */
export const lockTimeoutMs = 5_000

/** Statements on this connection wait for locks, and block their thread meanwhile. */
export function openServiceFile(filename: string): Database.Database {
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
