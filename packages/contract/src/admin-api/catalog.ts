/** @module The structure of all databases, and the first rules of a role that follow from it. */
import type { DatabaseKind, TableDescription } from '../schema.ts'

/** A table or view with what `GET /schema` does not have. A table that is not read yet has none of it. */
export interface CatalogTable extends Omit<TableDescription, 'comment'> {
  readonly kind?: 'table' | 'view'
  readonly comment?: string | null
  /** The database has row security of its own on it. */
  readonly hasRowSecurity?: boolean
  readonly uniqueKeys?: readonly (readonly string[])[]
  readonly foreignKeys?: readonly {
    readonly columns: readonly string[]
    /** In the same connection. */
    readonly table: string
    readonly references: readonly string[]
  }[]
  /** The database's own types, by column. */
  readonly natives?: Readonly<
    Record<
      string,
      { readonly type: string; readonly generated: string; readonly comment: string | null }
    >
  >
}

/** The structure of all databases. */
export interface Catalog {
  readonly connections: Readonly<
    Record<
      string,
      { readonly type: DatabaseKind; readonly tables: Readonly<Record<string, CatalogTable>> }
    >
  >
  /** Connections whose databases were never reached. */
  readonly unreached: readonly string[]
}

/** What may tie rows to callers, and the rules that follow from one choice. */
export interface RulesGuess {
  /** Columns that may tie rows to a caller, the one of most tables first. */
  readonly scopes: readonly RulesScope[]
  /** The one of `tables`. */
  readonly scope?: RulesScope | undefined
  /** By table name. */
  readonly tables: Readonly<Record<string, GuessedRule>>
}

/** A column that may tie rows to a caller. */
export interface RulesScope {
  readonly column: string
  /** The field of the caller that it equals. */
  readonly field: string
  /** How many tables have the column. */
  readonly tables: number
}

/** What a role could get on one table. */
export interface GuessedRule {
  /** Columns of `scopes` that the table has. */
  readonly owners: readonly string[]
  /** Columns that look secret: no rule reads them. */
  readonly hidden: readonly string[]
  /** What ties its rows to the caller: its column, being the caller, or a row that it refers to. */
  readonly tie?:
    | { readonly kind: 'column' | 'itself' | 'relation'; readonly by: string }
    | undefined
  /** `insert`, `update` and `delete` of a permission; undefined where the role had better not write. */
  readonly writes?: Readonly<Record<string, unknown>> | undefined
  /** `select` of a permission; undefined where nothing may be read. */
  readonly select?: Readonly<Record<string, unknown>> | undefined
  /** Why something is not offered, one sentence each. */
  readonly comments: readonly string[]
}
