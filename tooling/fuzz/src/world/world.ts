/** @module The data that a run generates before its statements: tables and their rows. */
import type { TypeName } from '../grammar/types.ts'
import type { TableShape } from './table-shape.ts'

/** A column's type in PostgreSQL's spelling, including the sizes. */
export type StoredType = Exclude<TypeName, 'numeric'> | 'numeric(10,2)' | 'varchar(8)' | 'char(4)'

export interface WorldColumn {
  readonly name: string
  readonly stored: StoredType
  /** The type of an expression that reads it. */
  readonly type: TypeName
  readonly isNullable: boolean
  /** The text of a constant; undefined: no default. */
  readonly default: string | undefined
  /** Computed and stored by the database: `coalesce(<column>, 0) % <modulo>`. */
  readonly generated?: { readonly column: string; readonly modulo: number }
  /** A requirement for `value`: the condition of a domain. PostgreSQL. */
  readonly domain?: string
  /** Texts that it can store: an ENUM on MariaDB, a check elsewhere. */
  readonly list?: readonly string[]
  /** Databases where texts of the column that differ only by case are equal, if its own collation counts. */
  readonly foldedOn?: 'postgres' | 'sqlite'
}

export interface ForeignKey {
  readonly column: string
  readonly table: string
  readonly onDelete: 'cascade' | 'set null' | undefined
}

/** A table whose first column is `id`, an int4 that the client chooses: its key, unless `shape` has another one. */
export interface WorldTable {
  readonly name: string
  readonly columns: readonly WorldColumn[]
  /** A unique column besides the key. */
  readonly unique: string | undefined
  readonly foreignKeys: readonly ForeignKey[]
  readonly shape?: TableShape
}

/** PostgreSQL's text of a value; null is NULL. */
export type Cell = string | null

export type Row = readonly Cell[]

/** Tables in an order where a referenced one comes first, and rows by name of the table. */
export interface World {
  readonly tables: readonly WorldTable[]
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

export function tableNamed(world: Pick<World, 'tables'>, name: string): WorldTable {
  const found = world.tables.find((table) => table.name === name)
  if (found === undefined) throw new RangeError(`no table ${name}`)
  return found
}

export function rowsOf(world: World, table: string): readonly Row[] {
  return world.rows.get(table) ?? []
}

/** Columns that a statement may write. */
export function ownColumns({ columns }: Pick<WorldTable, 'columns'>): readonly WorldColumn[] {
  return columns.filter(({ generated }) => generated === undefined)
}
