/** @module Input and output of the reference model: tables, permissions, statements, answers. */
export type Value = null | boolean | number | string | readonly Value[] | JsonObject
interface JsonObject {
  readonly [key: string]: Value
}
export type Row = Readonly<Record<string, Value>>
export type Json = Readonly<Record<string, unknown>>
export type Rows = Readonly<Record<string, readonly Row[]>>
export type Type = 'int4' | 'numeric' | 'text' | 'bool' | 'timestamp' | 'jsonb' | 'text[]'

export interface TableModel {
  readonly columns: Readonly<Record<string, Type>>
  /** Values of the columns that an INSERT does not name, for all columns. */
  readonly defaults: Row
  readonly relations: Readonly<Record<string, RelationModel>>
  /** No two rows have the same values in all of these, unless one is NULL; `id` is a key too. */
  readonly unique?: readonly string[]
  /** By column: the table whose `id` it must be. */
  readonly references: Readonly<Record<string, string>>
}

/** The path to related rows: rows of `table` whose column `to` equals column `from` of the row before. */
export interface RelationModel {
  readonly many: boolean
  readonly steps: readonly { readonly table: string; readonly to: string; readonly from: string }[]
}

/** Everything that an answer depends on; `now` in milliseconds since 1970. Every caller is authenticated. */
export interface World {
  readonly schema: Readonly<Record<string, TableModel>>
  readonly rows: Rows
  readonly permissions: readonly PermissionModel[]
  readonly roles: readonly string[]
  readonly claims: Json
  readonly now: number
}

/** As in the configuration, with the table name without its connection. */
export interface PermissionModel {
  readonly table: string
  readonly roles: readonly string[]
  readonly restrict?: Json | undefined
  readonly select?: (Block & { readonly limit?: number; readonly aggregate?: boolean }) | undefined
  readonly insert?: Block | undefined
  readonly update?: Block | undefined
  readonly delete?: Block | undefined
}

export interface Block {
  readonly columns?: readonly string[] | undefined
  readonly where?: Json | undefined
  readonly check?: Json | undefined
  readonly preset?: Json | undefined
}

export type Statement = SelectStatement | WriteStatement

/**
 * Columns are `a.<name>`, of the table, and `b.<name>`, of the one joined to it. Conditions are spelled as filters:
 * `{ 'a.id': { $lt: { $col: 'b.id' } } }`. Rows are ordered by all outputs.
 */
export interface SelectStatement {
  readonly kind: 'select'
  readonly table: string
  readonly join?:
    | { readonly table: string; readonly isLeft: boolean; readonly on: Json }
    | undefined
  readonly where?: Json | undefined
  readonly columns: readonly string[]
  /** Groups by `columns` and adds `count(*)`. */
  readonly isCounted: boolean
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface WriteStatement {
  readonly kind: 'insert' | 'update' | 'delete'
  readonly table: string
  /** INSERT: rows by column, all of the same columns. */
  readonly values?: readonly Row[] | undefined
  /** INSERT: what happens where a row of the same `id` exists. */
  readonly conflict?: 'nothing' | 'update' | undefined
  /** UPDATE, and what a conflict sets: a value or `{ $col: 'a.<name>' }`; `x.<name>` is the proposed row. */
  readonly set?: Json | undefined
  readonly where?: Json | undefined
  readonly returning?: readonly string[] | undefined
}

/** `refused`: by permissions (403). `rejected`: the row to store violates a rule (409 or 422). */
export type Answer =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Value[])[]; readonly after: Rows }
  | { readonly kind: 'refused' | 'rejected' }
