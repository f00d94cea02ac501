/** @module FROM: the sources of rows and their joins. */

import { GatewayError } from '@engine/core/adapter'
import {
  columnsOfCte,
  commaList,
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
import {
  type Expression,
  type FromItem,
  freeRelationsOf,
  type JoinItem,
  type Locking,
  type RelationId,
} from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import { createMemo } from '../memo.ts'
import {
  aliasOf,
  type PrintContext,
  type PrintedColumn,
  refuse,
  requireApart,
  type ValueProperties,
} from '../print-context.ts'
import { printFunctionItem } from './print-function-item.ts'
import { printSecuredTable } from './print-secured-table.ts'

/** The server joins at most 61 tables, including those of derived tables that it merges. */
const mostTables = 58

/** The properties that an item gets from the joins around it. */
interface ItemPlace {
  /** An outer join may null-extend it. */
  readonly isNullable: boolean
  readonly locking: readonly Locking[]
}

const printed = createMemo<Sql, readonly FromItem[]>()

/** Called once for each list: a query that is printed a second time in another form reads the same items. */
export function printFrom(
  items: readonly FromItem[],
  context: PrintContext,
  locking: readonly Locking[] = [],
): Sql {
  if (locking.length > 0) return printItems(items, context, locking)
  return printed(items, context, () => printItems(items, context, locking))
}

function printItems(
  items: readonly FromItem[],
  context: PrintContext,
  locking: readonly Locking[],
): Sql {
  if (tableCount(items) > mostTables) refuse(`a join of more than ${mostTables} tables`, undefined)
  const texts = items.map((item, index) => {
    const text = printItem(item, { isNullable: false, locking }, context)
    return index > 0 && item.kind === 'join' ? sql`(${text})` : text
  })
  return joinSql(texts, ', ')
}

const printers: FromPrinters<ItemPlace, PrintContext, Sql> = {
  join: printJoin,
  securedTable: (item, place, context) => {
    const clause = place.locking.find(({ relations }) => relations.includes(item.id))
    const table = printSecuredTable(item, context, clause)
    registerItem(item.id, place, context, table.column)
    return table.sql
  },
  subquery: (item, place, context) => {
    const isLateral = item.lateral && context.traits.hasLateral
    if (item.lateral && !isLateral) {
      throw new GatewayError('internal', 'a lateral subquery was not lowered')
    }
    requireApart(item.query, 'a subquery in FROM', context)
    const alias = aliasOf(item.id, context)
    const { sql: query, columns } = context.printQuery(item.query, context, 'stored')
    registerDerived(item.id, place, context, derivedColumns(alias, columns, place))
    return isLateral ? sql`lateral (${query}) as ${alias}` : sql`(${query}) as ${alias}`
  },
  cte: (item, place, context) => {
    const alias = aliasOf(item.id, context)
    const columns = columnsOfCte(item.cte, context)
    registerDerived(item.id, place, context, derivedColumns(alias, columns, place))
    return sql`${cteName(item.cte)} as ${alias}`
  },
  function: (item, place, context) => {
    const printed = printFunctionItem(item, context)
    registerDerived(item.id, place, context, printed.column)
    return printed.sql
  },
}

function printItem(item: FromItem, place: ItemPlace, context: PrintContext): Sql {
  return printFromItem(item, place, context, printers)
}

function registerDerived(
  id: RelationId,
  place: ItemPlace,
  context: PrintContext,
  column: (index: number) => PrintedColumn,
): void {
  context.derived.add(id)
  registerItem(id, place, context, column)
}

/** Derived tables that only select are merged, so that an index inside one can still be used. */
function derivedColumns(
  alias: Sql,
  columns: readonly ValueProperties[],
  { isNullable }: ItemPlace,
): (index: number) => PrintedColumn {
  return (index) => {
    const column = derivedColumn(alias, columns, index)
    // MIN and MAX read a merged table's calculated values even in a null-extended row.
    const isHidden = isNullable && column.stored === undefined
    return {
      ...column,
      sql: isHidden ? sql`coalesce(${column.sql})` : column.sql,
      isBare: !isHidden,
    }
  }
}

function printJoin(item: JoinItem, place: ItemPlace, context: PrintContext): Sql {
  const { type, on } = item
  if (type === 'full') return refuse('FULL JOIN in this place', undefined)
  const isLeftNullable = place.isNullable || type === 'right'
  const isRightNullable = place.isNullable || type === 'left'
  const left = printItem(item.left, { ...place, isNullable: isLeftNullable }, context)
  const right = printItem(item.right, { ...place, isNullable: isRightNullable }, context)
  const operand = item.right.kind === 'join' ? sql`(${right})` : right
  const words = {
    inner: sql`join`,
    cross: sql`cross join`,
    left: sql`left join`,
    right: sql`right join`,
  }
  const suffix = on === undefined ? sql`` : sql` on ${printOn(item, on, context)}`
  return sql`${left} ${words[type]} ${operand}${suffix}`
}

/** MariaDB drops a condition of an outer join that depends on an outer query alone. With a volatile part, it is evaluated. */
function printOn(item: JoinItem, on: Expression, context: PrintContext): Sql {
  const isOuter = item.type === 'left' || item.type === 'right'
  if (!isOuter || !context.traits.faults.outerConditionsOfJoins) return printFilter(on, context)
  const own = new Set(relationsOf(item))
  const parts = conjunctsOf(on).map((part) => {
    const free = freeRelationsOf(part)
    const printed = printFilter(part, context)
    return free.size > 0 && free.isDisjointFrom(own) ? sql`(${printed} or rand() < 0)` : printed
  })
  return parts.length === 1 ? commaList(parts) : sql`(${joinSql(parts, ' and ')})`
}

function conjunctsOf(condition: Expression): readonly Expression[] {
  return condition.kind === 'logical' && condition.operator === 'and'
    ? condition.operands.flatMap(conjunctsOf)
    : [condition]
}

function relationsOf(item: FromItem): readonly RelationId[] {
  return item.kind === 'join' ? [...relationsOf(item.left), ...relationsOf(item.right)] : [item.id]
}
