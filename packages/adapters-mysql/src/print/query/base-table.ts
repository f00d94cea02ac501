/** @module Tables of the database by their names there. */

import type { Table } from '@engine/core/catalog'
import {
  baseColumns as columnsUnder,
  type PrintedColumn,
  qualifiedName,
  type Sql,
  sql,
  type TableDialect,
} from '@engine/core/print'
import { printFilter } from '../expression/print-filter.ts'
import { type PrintContext, print } from '../print-context.ts'
import { noLimit } from '../print-limit.ts'

export const tableDialect: TableDialect<PrintContext> = {
  tableName,
  storesNull: () => false,
  print,
  printMask: printFilter,
  barrier: sql` limit ${noLimit}`,
}

/** With its database, so that it is not mistaken for a WITH query. */
export function tableName({ native }: Table): Sql {
  return qualifiedName(native.schema, native.name)
}

/** Columns of a table under the name `alias`. */
export function baseColumns(table: Table, alias: Sql): (ordinal: number) => PrintedColumn {
  return columnsUnder(table, alias, tableDialect)
}
