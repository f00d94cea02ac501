/** @module Creates the SQLite tables of files. */
import type { DatabaseSync } from 'node:sqlite'
import { type ColumnType, declarationOf } from '../types/column-type.ts'
import type { LoadJob } from './load-job.ts'

export interface DeclaredColumn {
  readonly name: string
  readonly type: ColumnType
  readonly isNotNull: boolean
  /** The options say so: values that are of another type are faults. */
  readonly isKept: boolean
  /** No value was seen in it. */
  readonly isAlwaysNull: boolean
}

export function createTable(
  database: DatabaseSync,
  { table, keepsText }: LoadJob,
  columns: readonly DeclaredColumn[],
): void {
  const declared = columns.map(({ name, type, isNotNull }) => {
    const notNull = isNotNull ? ' not null' : ''
    // The file could not distinguish an empty text from NULL.
    const check = keepsText && type.kind === 'text' ? ` check (${quoted(name)} <> '')` : ''
    return `${quoted(name)} ${declarationOf(type)}${notNull}${check}`
  })
  database.exec(`create table ${quoted(table)} (${declared.join(', ')})`)
  if (keepsText) {
    const text = quoted(textTableName(table))
    database.exec(`create table ${text} (id integer primary key, line text not null)`)
  }
}

/** A row that is changed or deleted is no longer what its record says. */
export function watchChanges(database: DatabaseSync, table: string, rowNumber: string): void {
  const text = quoted(textTableName(table))
  for (const event of ['update', 'delete']) {
    database.exec(
      `create trigger ${quoted(`~${event}~${table}`)} after ${event} on ${quoted(table)}
      begin delete from ${text} where id = old.${rowNumber}; end`,
    )
  }
}

/**
 * What SQLite calls the number of a row in a table with these columns; undefined where columns have taken all its names.
 *
 * @see https://www.sqlite.org/lang_createtable.html#rowid
 */
export function rowNumberName(columns: readonly { readonly name: string }[]): string | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name))
}

/** The table and what belongs to it. */
export function dropTable(database: { exec(sql: string): unknown }, table: string): void {
  database.exec(`drop table if exists main.${quoted(table)}`)
  database.exec(`drop table if exists main.${quoted(textTableName(table))}`)
}

/** Of the table that remembers the records of a file as they are written. */
export function textTableName(table: string): string {
  return `~text~${table}`
}

/** Names that begin so are ours: no file may be called so. */
export function isInternalName(name: string): boolean {
  return name.startsWith('~')
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
