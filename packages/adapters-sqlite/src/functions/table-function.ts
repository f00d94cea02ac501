/** @module How functions are described that give rows. */
import type { SqliteValue } from './scalar.ts'

export interface TableFunction {
  readonly parameters: readonly string[]
  readonly columns: readonly string[]
  readonly rows: (...args: readonly SqliteValue[]) => Iterable<readonly SqliteValue[]>
}

/** By the name under which SQL calls them. */
export type TableFunctions = Readonly<Record<string, TableFunction>>
