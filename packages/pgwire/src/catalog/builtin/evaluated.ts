/** @module The results of the built-in catalog for expressions and tables. */
import { GatewayError } from '@engine/core'
import type { Oid } from '@engine/core/values'

/** One value as PostgreSQL prints it (a session in UTC, ISO dates). */
export type Cell = string | null

/** A row of all tables in FROM, one after the other. */
export type Row = readonly Cell[]

export interface BuiltinColumn {
  readonly name: string
  readonly oid: Oid
}

export interface BuiltinTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly BuiltinColumn[]
  readonly rows: () => readonly Row[]
}

/** An expression that has its type, and a value for each row. */
export interface Evaluated {
  readonly oid: Oid
  readonly typmod: number
  readonly cellOf: (row: Row) => Cell
}

/** The same for every row. */
export function constant(oid: Oid, value: Cell, typmod = -1): Evaluated {
  return { oid, typmod, cellOf: () => value }
}

/** The error for everything that only a real PostgreSQL can answer. */
export function beyondBuiltin(what: string): GatewayError {
  return new GatewayError(
    'unsupported',
    `${what} cannot be answered by the built-in catalog: install @electric-sql/pglite`,
    { sqlState: '0A000' },
  )
}
