/** @module FROM: the sources of rows, their joins, and the checks that let every loop be stopped. */

import { GatewayError } from '@engine/core/adapter'
import {
  allOf,
  columnName,
  columnsOfCte,
  cteName,
  derivedColumn,
  type FromPrinters,
  joinSql,
  printFromItem,
  registerItem,
  type Sql,
  sql,
  tableCount,
} from '@engine/core/print'
import type { FromItem, JoinItem } from '@engine/core/tree'
import { closedQuery } from '../expanded-size.ts'
import { printFilter } from '../expression/print-filter.ts'
import {
  aliasOf,
  type PrintContext,
  type PrintedColumn,
  refuse,
  type ValueProperties,
} from '../print-context.ts'
import { printTick } from '../print-tick.ts'
import { printFunctionItem } from './print-function-item.ts'
import { printSecuredTable } from './print-secured-table.ts'

/** A FROM clause and the conditions that it adds to WHERE. */
export interface PrintedFrom {
  readonly sql: Sql
  readonly conditions: readonly Sql[]
}

/** SQLite joins at most 64 tables, including those of derived tables that it flattens. */
const mostTables = 60

/** A FROM item, and the ticks of its loops that are not yet in a condition. */
interface PrintedItem {
  readonly sql: Sql
  readonly ticks: readonly Sql[]
}

export function printFrom(items: readonly FromItem[], context: PrintContext): PrintedFrom {
  if (tableCount(items) > mostTables) refuse(`a join of more than ${mostTables} tables`, undefined)
  const isAlone = items.length === 1
  const printed = items.map((item, index) => {
    const result = printItem(item, { isAlone, isNullable: false }, context)
    return index > 0 && item.kind === 'join' ? { ...result, sql: sql`(${result.sql})` } : result
  })
  return {
    sql: joinSql(
      printed.map((each) => each.sql),
      ', ',
    ),
    conditions: printed.flatMap((each) => each.ticks),
  }
}

interface ItemPlace {
  /** The only item: its rows are those of the query, and a subquery's loops have their own checks. */
  readonly isAlone: boolean
  /** An outer join may null-extend it. */
  readonly isNullable: boolean
}

const printers: FromPrinters<ItemPlace, PrintContext, PrintedItem> = {
  join: printJoin,
  securedTable: (item, place, context) => {
    const table = printSecuredTable(item, context)
    registerItem(item.id, place, context, table.column)
    // A derived table of cells checks its own loop.
    const isChecked = place.isAlone && table.isDerived
    return { sql: table.sql, ticks: isChecked || table.tick === undefined ? [] : [table.tick] }
  },
  subquery: (item, place, context) => {
    if (item.lateral) throw new GatewayError('internal', 'a lateral subquery was not lowered')
    const alias = aliasOf(item.id, context)
    const printed = context.printQuery(item.query, context, 'stored')
    const { sql: query, columns } = closedQuery(item.query, printed)
    registerItem(item.id, place, context, derivedColumns(alias, columns))
    const ticks = place.isAlone ? [] : ticksOf(sql`${alias}.${columnName(0)}`, context)
    return { sql: sql`(${query}) as ${alias}`, ticks: columns.length === 0 ? [] : ticks }
  },
  cte: (item, place, context) => {
    const alias = aliasOf(item.id, context)
    const columns = columnsOfCte(item.cte, context)
    registerItem(item.id, place, context, derivedColumns(alias, columns))
    const ticks = columns.length === 0 ? [] : ticksOf(sql`${alias}.${columnName(0)}`, context)
    return { sql: sql`${cteName(item.cte)} as ${alias}`, ticks }
  },
  function: (item, place, context) => {
    const printed = printFunctionItem(item, context)
    registerItem(item.id, place, context, printed.column)
    return { sql: printed.sql, ticks: ticksOf(printed.tickColumn, context) }
  },
}

function printItem(item: FromItem, place: ItemPlace, context: PrintContext): PrintedItem {
  return printFromItem(item, place, context, printers)
}

/** SQLite moves conditions into derived tables, so that an index inside one can still be used. */
function derivedColumns(
  alias: Sql,
  columns: readonly ValueProperties[],
): (index: number) => PrintedColumn {
  return (index) => ({ ...derivedColumn(alias, columns, index), isBare: true })
}

function ticksOf(column: Sql | undefined, context: PrintContext): readonly Sql[] {
  const tick = column === undefined ? undefined : printTick(column, context.ticks)
  return tick === undefined ? [] : [tick]
}

/** Ticks come first in ON: SQLite evaluates conditions in the order of the text. */
function printJoin(item: JoinItem, place: ItemPlace, context: PrintContext): PrintedItem {
  const { type, on } = item
  const isLeftNullable = place.isNullable || type === 'right' || type === 'full'
  const isRightNullable = place.isNullable || type === 'left' || type === 'full'
  const left = printItem(item.left, { isAlone: false, isNullable: isLeftNullable }, context)
  const right = printItem(item.right, { isAlone: false, isNullable: isRightNullable }, context)
  const rightSql = item.right.kind === 'join' ? sql`(${right.sql})` : right.sql
  const keeps = {
    left: type === 'right' || type === 'full',
    right: type === 'left' || type === 'full',
  }
  const ticks = [...(keeps.left ? left.ticks : []), ...(keeps.right ? right.ticks : [])]
  const condition = on === undefined ? undefined : printFilter(on, context)
  const demands = allOf([...ticks, condition])
  const words = {
    inner: sql`join`,
    cross: sql`join`,
    left: sql`left join`,
    right: sql`right join`,
    full: sql`full join`,
  }
  const suffix = demands === undefined ? sql`` : sql` on ${demands}`
  return {
    sql: sql`${left.sql} ${words[type]} ${rightSql}${suffix}`,
    ticks: [...(keeps.left ? [] : left.ticks), ...(keeps.right ? [] : right.ticks)],
  }
}
