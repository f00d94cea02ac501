/** @module Does a query read only a few rows, whatever the tables contain? */
import type {
  Expression,
  FromItem,
  Query,
  RelationId,
  SecuredTable,
  Table,
} from '@engine/core/adapter'

/**
 * A SELECT from tables that are all looked up by `=` on a whole key, and in which no expression costs more than a comparison.
 * Such a query needs no ticks and may run anywhere.
 */
export function isBoundedQuery(query: Query): boolean {
  if (query.kind !== 'select' || query.ctes.length > 0 || query.isAggregated) return false
  if (query.distinct !== 'none' || query.locking.length > 0 || query.from.length !== 1) return false
  const [item] = query.from
  const tables = item === undefined ? undefined : tablesOf(item)
  if (tables === undefined || tables.length > 4) return false
  const joins = joinConditions(query.from)
  const expressions = [
    ...query.outputs,
    ...query.orderBy.map((key) => key.expression),
    ...joins,
    ...(query.where === undefined ? [] : [query.where]),
    ...tables.flatMap((each) => [each.filter, ...each.pushed, ...each.masks.values()]),
  ]
  if (!expressions.every((each) => each === undefined || isCheap(each))) return false
  const conditions = [...joins, ...(query.where === undefined ? [] : [query.where])]
  return areFound(tables, conditions.flatMap(conjunctsOf))
}

function tablesOf(item: FromItem): readonly SecuredTable[] | undefined {
  if (item.kind === 'securedTable') return [item]
  if (item.kind !== 'join' || (item.type !== 'inner' && item.type !== 'left')) return undefined
  const [left, right] = [tablesOf(item.left), tablesOf(item.right)]
  return left === undefined || right === undefined ? undefined : [...left, ...right]
}

function joinConditions(items: readonly FromItem[]): readonly Expression[] {
  return items.flatMap((item) =>
    item.kind !== 'join'
      ? []
      : [...(item.on === undefined ? [] : [item.on]), ...joinConditions([item.left, item.right])],
  )
}

function conjunctsOf(condition: Expression): readonly Expression[] {
  return condition.kind === 'logical' && condition.operator === 'and'
    ? condition.operands.flatMap(conjunctsOf)
    : [condition]
}

/** One table after the other is looked up by a key: by values, or by columns of tables before it. */
function areFound(tables: readonly SecuredTable[], conditions: readonly Expression[]): boolean {
  const found = new Set<RelationId>()
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const table of tables) {
      if (found.has(table.id) || !isFound(table, [...conditions, ...table.pushed], found)) continue
      found.add(table.id)
      isNew = true
    }
  }
  return found.size === tables.length
}

function isFound(
  { id, base, table }: SecuredTable,
  conditions: readonly Expression[],
  found: ReadonlySet<RelationId>,
): boolean {
  const fixed = new Set<number>()
  for (const condition of conditions) {
    if (condition.kind !== 'operator' || condition.operator.name !== '=') continue
    const { left, right } = condition
    if (left === undefined) continue
    for (const [one, other] of [[left, right] as const, [right, left] as const]) {
      if (one.kind !== 'column' || (one.relation !== id && one.relation !== base)) continue
      if (isKnown(other, found)) fixed.add(one.column)
    }
  }
  return usableKeys(table).some((key) => key.every((column) => fixed.has(column)))
}

function isKnown(expression: Expression, found: ReadonlySet<RelationId>): boolean {
  switch (expression.kind) {
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
      return true
    case 'column':
      return found.has(expression.relation)
    default:
      return false
  }
}

/** Keys with byte order: in another collation several rows may be equal. */
function usableKeys(table: Table): readonly (readonly number[])[] {
  const isPlain = (ordinal: number) => table.columns[ordinal]?.collation === undefined
  const keys = [table.primaryKey, ...table.uniqueKeys]
  return keys.filter((key) => key.length > 0 && key.every(isPlain) && table.kind === 'table')
}

function isCheap(expression: Expression): boolean {
  switch (expression.kind) {
    case 'column':
    case 'output':
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
      return true
    case 'operator':
      return cheapOperators.has(expression.operator.name) && parts(expression).every(isCheap)
    case 'logical':
      return expression.operands.every(isCheap)
    case 'not':
    case 'nullTest':
    case 'booleanTest':
      return isCheap(expression.operand)
    case 'inList':
      return [expression.operand, ...expression.items].every(isCheap)
    case 'coalesce':
      return expression.args.every(isCheap)
    default:
      return false
  }
}

const cheapOperators: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

function parts(expression: Extract<Expression, { kind: 'operator' }>): readonly Expression[] {
  return expression.left === undefined ? [expression.right] : [expression.left, expression.right]
}
