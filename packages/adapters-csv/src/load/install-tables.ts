/** @module Tables that were loaded → the database that serves them, all at once. */
import { existsSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import { dropTable, quoted, textTableName } from './make-table.ts'

export interface Installation {
  /** The database with the new tables; closed. */
  readonly staging: string
  readonly tables: readonly string[]
  /** Tables that are no more. */
  readonly dropped: readonly string[]
}

/** A writer may hold the database so long. In milliseconds. */
const lockTimeoutMs = 60_000

/**
 * Replaces tables in one transaction: readers see the old ones or the new ones. A database that does not exist yet is the
 * staging one from now on.
 */
export function installTables(path: string, { staging, tables, dropped }: Installation): void {
  const isNew = !existsSync(path)
  if (isNew) renameSync(staging, path)
  const database = new Database(path, { timeout: lockTimeoutMs })
  try {
    // Whoever reads goes on while tables are replaced.
    database.pragma('journal_mode = wal')
    database.pragma('synchronous = off')
    if (isNew) return
    database.prepare('attach ? as staging').run(staging)
    database
      .transaction(() => {
        for (const table of dropped) dropTable(database, table)
        for (const table of tables) replaceTable(database, table)
      })
      .immediate()
  } finally {
    database.close()
  }
}

function replaceTable(database: Database.Database, table: string): void {
  dropTable(database, table)
  const names = [table, textTableName(table)]
  const made = database
    .prepare<[string, string], { type: string; name: string; sql: string }>(
      `select type, name, sql from staging.sqlite_schema where tbl_name in (?, ?) and sql is not null
      order by type <> 'table'`,
    )
    .all(table, textTableName(table))
  for (const { sql } of made.filter(({ type }) => type === 'table')) database.exec(sql)
  for (const name of names.filter((each) => made.some((other) => other.name === each))) {
    database.exec(
      `insert into main.${quoted(name)} select * from staging.${quoted(name)} order by rowid`,
    )
  }
  for (const { sql } of made.filter(({ type }) => type !== 'table')) database.exec(sql)
}
