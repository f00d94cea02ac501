/** @module Tables of the database by their names there. */

import type { Table } from '@engine/core/catalog'
import {
  baseColumns as columnsUnder,
  identifier,
  type Sql,
  sql,
  type TableDialect,
} from '@engine/core/print'
import { type PrintContext, type PrintedColumn, print } from '../print-context.ts'
import { nativeOf } from '../read-stored.ts'

export const tableDialect: TableDialect<PrintContext> = {
  tableName,
  storesNull: (column) => nativeOf(column).storesNull === true,
  print,
  printMask: print,
  barrier: sql` limit -1`,
}

/** With its schema, so that it is not mistaken for a WITH query. */
export function tableName(table: Table): Sql {
  return sql`main.${identifier(table.native.name)}`
}

/** Columns of a table under the name `alias`. */
export function baseColumns(table: Table, alias: Sql): (ordinal: number) => PrintedColumn {
  return columnsUnder(table, alias, tableDialect)
}
