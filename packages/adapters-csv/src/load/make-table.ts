/** @module Creates the SQLite tables of files. */
import type { DatabaseSync } from 'node:sqlite'
import { type ColumnType, declarationOf } from '../types/column-type.ts'
import type { LoadJob } from './load-job.ts'

export interface DeclaredColumn {
  readonly name: string
  readonly type: ColumnType
  readonly isNotNull: boolean
  /** The options set the type: values of another type are errors. */
  readonly isKept: boolean
  /** The column has no value. */
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

/** The stored record of a row that is changed or deleted is no longer valid. */
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
 * SQLite's name for the row number in a table with these columns; undefined where columns use all its names.
 *
 * @see https://www.sqlite.org/lang_createtable.html#rowid
 */
export function rowNumberName(columns: readonly { readonly name: string }[]): string | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name))
}

/** The table and the objects that belong to it. */
export function dropTable(database: { exec(sql: string): unknown }, table: string): void {
  database.exec(`drop table if exists main.${quoted(table)}`)
  database.exec(`drop table if exists main.${quoted(textTableName(table))}`)
}

/** Name of the table that stores the records of a file exactly as written. */
export function textTableName(table: string): string {
  return `~text~${table}`
}

/** Names with this prefix are reserved: a file may not have one. */
export function isInternalName(name: string): boolean {
  return name.startsWith('~')
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
