/** @module A type of a column, with values that the tests write and read. */
import type * as fc from 'fast-check'

export type DatabaseKind = 'postgres' | 'mysql' | 'mariadb' | 'sqlite'

/** A type of a column. Values are texts as PostgreSQL reads them. */
export interface StoredType {
  /** Unique; in the names of failures. */
  readonly name: string
  /** PostgreSQL's type, whose value is expected: `timestamp(3)`. */
  readonly type: string
  /** The declaration by kind of database; a kind without one does not have the type. */
  readonly columns: Readonly<Partial<Record<DatabaseKind, string>>>
  /** They are stored as PostgreSQL's type stores them, or rounds them. */
  readonly values: readonly string[]
  /** Every path refuses them, and stores nothing. */
  readonly refused: readonly string[]
  /** Ways out that some kind of database refuses for these values, by name: it cannot answer exactly. */
  readonly refusedReads?: Readonly<Partial<Record<DatabaseKind, readonly string[]>>>
  /** More values, drawn with a seed. */
  readonly random?: fc.Arbitrary<string>
}

export type Columns = StoredType['columns']

/** MariaDB and MySQL. */
export function both(declaration: string): Columns {
  return { mysql: declaration, mariadb: declaration }
}

export function everywhere(type: string, onMysql: string = type, onSqlite: string = type): Columns {
  return { postgres: type, ...both(onMysql), sqlite: onSqlite }
}
