/** @module Descriptions of functions that return rows. */
import type { SqliteValue } from './scalar.ts'

export interface TableFunction {
  readonly parameters: readonly string[]
  readonly columns: readonly string[]
  readonly rows: (...args: readonly SqliteValue[]) => Iterable<readonly SqliteValue[]>
}

/** By their names in SQL. */
export type TableFunctions = Readonly<Record<string, TableFunction>>
