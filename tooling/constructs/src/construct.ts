/** @module One thing that PostgreSQL can do, and the statements that try it. */

/** The databases of the table, in the order of its columns. */
export const databaseNames = ['PostgreSQL', 'MariaDB', 'MySQL', 'SQLite'] as const
export type DatabaseName = (typeof databaseNames)[number]

/** Which columns the table `samples` has: all types, or those of every database. */
export const forms = ['full', 'portable'] as const
export type Form = (typeof forms)[number]

export function formOf(database: DatabaseName): Form {
  return database === 'PostgreSQL' ? 'full' : 'portable'
}

/** An expression, or a whole statement with its own FROM. */
export type Attempt =
  | {
      readonly kind: 'expression'
      readonly sql: string
      /** `row`: one value for each row. `aggregate`: one value of all rows. */
      readonly over: 'row' | 'aggregate'
      readonly aliases: readonly string[]
    }
  | { readonly kind: 'statement'; readonly sql: string; readonly isOrdered: boolean }
  | { readonly kind: 'write'; readonly sql: string }
  /** Is it answered? PostgreSQL is not asked: its answer would be another one. */
  | { readonly kind: 'question'; readonly sql: string }
  /** The database can't have the values that it needs. */
  | { readonly kind: 'impossible'; readonly reason: string }

export interface Construct {
  /** Unique, and the same in every recording: `function lower(text)`. */
  readonly id: string
  readonly chapter: string
  /** Row of the table: overloads have the same. */
  readonly row: string
  /** What distinguishes it from others of its row: types of its arguments. */
  readonly variant: string
  readonly attempts: (form: Form) => readonly Attempt[]
}
