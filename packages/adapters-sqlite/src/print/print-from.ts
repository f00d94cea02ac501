/** @module FROM: what rows come from, how they are joined, and how every loop over them can be stopped. */
import {
  columnName,
  cteName,
  type FromItem,
  GatewayError,
  type JoinItem,
  joinSql,
  type Sql,
  sql,
} from '@engine/core/adapter'
import {
  aliasOf,
  type PrintContext,
  type PrintedColumn,
  refuse,
  type ValueProperties,
} from './print-context.ts'
import { allOf, printFilter } from './print-filter.ts'
import { printFunctionItem } from './print-function-item.ts'
import { printSecuredTable } from './print-secured-table.ts'
import { closedQuery } from './weight.ts'

/** A FROM clause and the conditions that belong in WHERE because of it. */
export interface PrintedFrom {
  readonly sql: Sql
  readonly conditions: readonly Sql[]
}

/** SQLite joins 64 tables at most, those of derived tables included that it opens. */
const mostTables = 60

function tableCount(items: readonly FromItem[]): number {
  return items.reduce((count, item) => count + tablesIn(item), 0)
}

function tablesIn(item: FromItem): number {
  if (item.kind === 'join') return tablesIn(item.left) + tablesIn(item.right)
  const isOpened = item.kind === 'subquery' && item.query.kind === 'select'
  return isOpened ? Math.max(1, tableCount(item.query.from)) : 1
}

/** What a FROM item is, and the tick of each loop in it that nobody checks yet. */
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
  /** The only item: its rows are those of the query, and a subquery's loops check themselves. */
  readonly isAlone: boolean
  /** An outer join may make its rows up. */
  readonly isNullable: boolean
}

function printItem(item: FromItem, place: ItemPlace, context: PrintContext): PrintedItem {
  switch (item.kind) {
    case 'join':
      return printJoin(item, place, context)
    case 'table':
      throw new GatewayError('internal', 'a table reached the printer without its security')
    case 'securedTable': {
      const table = printSecuredTable(item, context)
      register(item.id, place, context, table.column)
      // A derived table of cells checks its own loop.
      const isChecked = place.isAlone && table.isDerived
      return { sql: table.sql, ticks: isChecked ? [] : ticksOf(table.tickColumn, context) }
    }
    case 'subquery': {
      if (item.lateral) throw new GatewayError('internal', 'a lateral subquery was not lowered')
      const alias = aliasOf(item.id, context)
      const printed = context.printQuery(item.query, context, 'stored')
      const { sql: query, columns } = closedQuery(item.query, printed)
      register(item.id, place, context, derivedColumns(alias, columns))
      const ticks = place.isAlone ? [] : ticksOf(sql`${alias}.${columnName(0)}`, context)
      return { sql: sql`(${query}) as ${alias}`, ticks: columns.length === 0 ? [] : ticks }
    }
    case 'cte': {
      const alias = aliasOf(item.id, context)
      const columns = context.ctes.get(item.cte)
      if (columns === undefined) throw new GatewayError('internal', 'an unknown WITH query')
      register(item.id, place, context, derivedColumns(alias, columns))
      const ticks = columns.length === 0 ? [] : ticksOf(sql`${alias}.${columnName(0)}`, context)
      return { sql: sql`${cteName(item.cte)} as ${alias}`, ticks }
    }
    case 'function': {
      const printed = printFunctionItem(item, context)
      register(item.id, place, context, printed.column)
      return { sql: printed.sql, ticks: ticksOf(printed.tickColumn, context) }
    }
  }
}

function register(
  relation: number,
  { isNullable }: ItemPlace,
  context: PrintContext,
  column: (index: number) => PrintedColumn,
): void {
  context.relations.set(relation, {
    column: (index) => (isNullable ? { ...column(index), isNullable: true } : column(index)),
  })
}

function derivedColumns(
  alias: Sql,
  columns: readonly ValueProperties[],
): (index: number) => PrintedColumn {
  return (index) => {
    const facts = columns[index]
    if (facts === undefined) throw new GatewayError('internal', 'a derived column is missing')
    // SQLite moves conditions into derived tables, so that an index behind one still counts.
    return { ...facts, sql: sql`${alias}.${columnName(index)}`, isBare: true }
  }
}

/** `tick(column)` refers to the loop's own row, so that SQLite cannot take it out of the loop. */
function ticksOf(column: Sql | undefined, context: PrintContext): readonly Sql[] {
  return context.hasTicks && column !== undefined ? [sql`tick(${column})`] : []
}

/** Ticks stand first in ON: SQLite evaluates conditions in the order of the text. */
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
