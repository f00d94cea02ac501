/** @module A table as one caller may see it. */

import type { Table } from '@engine/core/catalog'
import {
  aliasOf,
  allOf,
  type CellTable,
  columnAt,
  columnName,
  identifier,
  isOpen,
  type PrintedTable,
  printCellTable,
  printOpenTable,
  type Sql,
  sql,
} from '@engine/core/print'
import type { Expression, SecuredTable } from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import type { PrintContext } from '../print-context.ts'
import { printRowidTick, printTick } from '../print-tick.ts'
import { nativeOf } from '../read-stored.ts'
import { tableDialect } from './base-table.ts'

/** The key of the rows of a table. */
export interface KeyParts {
  /** Under the relation's alias. */
  readonly parts: (alias: Sql) => readonly Sql[]
}

/** A table with the condition that checks its loop, if that must be checked. */
interface Ticked {
  readonly tick: Sql | undefined
}

/** The table itself where nothing is hidden; otherwise a derived table of the used cells. */
export function printSecuredTable(
  item: SecuredTable,
  context: PrintContext,
): PrintedTable & Ticked {
  if (!isOpen(item)) return printNarrowedTable(item, context)
  const table = printOpenTable(item, context, tableDialect)
  return { ...table, tick: tickOf(item.table, aliasOf(item.id, context), context) }
}

/**
 * The derived table of the used cells, with the key of its rows, if one is given.
 *
 * @param raw expressions on the raw row that become columns next to its cells.
 */
export function printNarrowedTable(
  item: SecuredTable,
  context: PrintContext,
  rowKey?: KeyParts,
  raw: readonly Expression[] = [],
): CellTable & Ticked {
  const printed = printCellTable(item, context, tableDialect, {
    where: (baseAlias) =>
      allOf([
        tickOf(item.table, baseAlias, context),
        ...[item.filter, ...item.pushed].map((each) => each && printFilter(each, context)),
      ]),
    key: (alias) => rowKey?.parts(alias) ?? [],
    raw,
    ending: () => sql``,
  })
  const [first] = printed.used
  const column = first === undefined ? sql`c0` : columnName(first)
  return { ...printed, tick: printTick(sql`${aliasOf(item.id, context)}.${column}`, context.ticks) }
}

/** Through a column that is cheap and in every index: the rowid, where there is one. */
function tickOf(table: Table, alias: Sql, { ticks }: PrintContext): Sql | undefined {
  const first = columnAt(table, table.primaryKey[0] ?? 0)
  const { rowidName } = nativeOf(first)
  switch (rowidName) {
    case 'rowid':
      return printRowidTick(sql`${alias}.rowid`, ticks)
    case '_rowid_':
      return printRowidTick(sql`${alias}._rowid_`, ticks)
    case 'oid':
      return printRowidTick(sql`${alias}.oid`, ticks)
    default:
      return printTick(sql`${alias}.${identifier(first.name)}`, ticks)
  }
}
