/** @module Installs loaded tables in the database that serves them, all at once. */
import { existsSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import { signatureIfThere } from './file-signature.ts'
import type { FileSignature } from './load-job.ts'
import { dropTable, quoted, rowNumberName, textTableName } from './make-table.ts'

export interface Installation {
  /** The database with the new tables; closed. */
  readonly staging: string
  readonly tables: readonly StagedTable[]
  /** Tables to remove. */
  readonly dropped: readonly string[]
}

export interface StagedTable {
  readonly table: string
  readonly path: string
  /** Signature of the file when it was read. */
  readonly signature: FileSignature
}

/** Maximum time that a writer may lock the database. In milliseconds. */
const lockTimeoutMs = 60_000

/**
 * Replaces tables in one transaction: readers see the old ones or the new ones. Where the database does not exist yet,
 * the staging database takes its place.
 *
 * A writer of a table writes its file before the transaction ends. So a file that has changed since it was read may
 * have rows that the new table lacks: such a table is not replaced, and is loaded again.
 *
 * @returns the names of the replaced tables
 */
export function installTables(
  path: string,
  { staging, tables, dropped }: Installation,
): ReadonlySet<string> {
  const isNew = !existsSync(path)
  if (isNew) renameSync(staging, path)
  const database = new Database(path, { timeout: lockTimeoutMs })
  try {
    // Readers continue while tables are replaced.
    database.pragma('journal_mode = wal')
    database.pragma('synchronous = off')
    if (isNew) return namesOf(tables)
    database.prepare('attach ? as staging').run(staging)
    const replace = database.transaction(() => {
      const current = tables.filter((each) => signatureIfThere(each.path) === each.signature)
      for (const table of dropped) dropTable(database, table)
      for (const { table } of current) replaceTable(database, table)
      return namesOf(current)
    })
    return replace.immediate()
  } finally {
    database.close()
  }
}

function namesOf(tables: readonly StagedTable[]): ReadonlySet<string> {
  return new Set(tables.map(({ table }) => table))
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
      `insert into main.${quoted(name)} select * from staging.${quoted(name)} ${inOrder(database, name)}`,
    )
  }
  for (const { sql } of made.filter(({ type }) => type !== 'table')) database.exec(sql)
}

/** The rows keep their numbers. */
function inOrder(database: Database.Database, table: string): string {
  const columns = database
    .prepare<[string], { name: string }>(`select name from pragma_table_info(?, 'staging')`)
    .all(table)
  const rowNumber = rowNumberName(columns)
  return rowNumber === undefined ? '' : `order by ${rowNumber}`
}
