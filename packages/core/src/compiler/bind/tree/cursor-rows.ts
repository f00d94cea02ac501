/** @module What a cursor knows of its query: the columns that say where its rows are stored, and whether it may move back. */
import type { Table } from '../../catalog/catalog.ts'

/** Of a SELECT for a cursor. */
export interface CursorRows {
  /** Number of the client's columns; those of `tables` come after them. */
  readonly width: number
  /** It locks rows (FOR UPDATE, FOR SHARE): then CURRENT OF means a table that it locks, else the only table. */
  readonly isLocking: boolean
  readonly tables: readonly RowPlace[]
  /** PostgreSQL lets a cursor move back over the query that is not declared with SCROLL. */
  readonly isScrollable: boolean
}

/** `column`: index of the result column with the number of the table; the place in it follows. Undefined where rows have several. */
export interface RowPlace {
  readonly table: Table
  readonly column: number | undefined
}
