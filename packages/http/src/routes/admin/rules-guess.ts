/** @module The first rules of a role, as the program that serves guesses them. A person reads them before they are saved. */
import type { Connection } from '@engine/core/server'

/** Guesses rules for one connection. */
export type GuessRules = (connection: Connection, asked: AskedScope) => Promise<RulesGuess>

/** By what rows belong to a caller; undefined: the first guess. */
export interface AskedScope {
  /** An empty text: by nothing, all rows are alike. */
  readonly column: string | undefined
  /** Its value is `$user.<field>`. */
  readonly field: string | undefined
}

/** What may tie rows to callers, and the rules that follow from one choice. */
export interface RulesGuess {
  /** Columns that may tie rows to a caller, the one of most tables first. */
  readonly scopes: readonly RulesScope[]
  /** The one of `tables`. */
  readonly scope: RulesScope | undefined
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
  readonly tie: { readonly kind: 'column' | 'itself' | 'relation'; readonly by: string } | undefined
  /** `insert`, `update` and `delete` of a permission; undefined where the role had better not write. */
  readonly writes: Readonly<Record<string, unknown>> | undefined
  /** `select` of a permission; undefined where nothing may be read. */
  readonly select: Readonly<Record<string, unknown>> | undefined
  /** Why something is not offered, one sentence each. */
  readonly comments: readonly string[]
}
