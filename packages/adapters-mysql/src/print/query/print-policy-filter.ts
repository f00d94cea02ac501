/**
 * @module Row filters of permissions. MariaDB converts `exists (<query>)` to a join in a WHERE of the outermost query only: in a
 * derived table, which contains the filter, it runs the query once for each row. IN becomes a join everywhere. A client's EXISTS
 * stays: IN may read rows that EXISTS does not reach, and fail on them.
 */
import type { Column } from '@engine/core/catalog'
import { joinSql, type Sql, sql } from '@engine/core/print'
import type { Exists, Expression, Query } from '@engine/core/tree'
import { keyOf } from '../expression/comparison/comparison.ts'
import { haveOneCollation, looseColumn } from '../expression/comparison/loose-column.ts'
import { printFilter } from '../expression/print-filter.ts'
import { classOfType, type PrintContext } from '../print-context.ts'
import { comparesNatively } from '../type-class.ts'
import { propertiesOf } from '../value-properties.ts'

/** A condition of a permission, whose NULL may be replaced by false. */
export function printPolicyFilter(condition: Expression, context: PrintContext): Sql {
  const { existsInDerivedTables, outerColumnsInExists } = context.traits.faults
  if (!existsInDerivedTables) {
    return outerColumnsInExists
      ? printJoinedFilter(condition, context)
      : printFilter(condition, context)
  }
  if (condition.kind === 'logical') {
    const parts = condition.operands.map((each) => printPolicyFilter(each, context))
    const joined = condition.operator === 'and' ? joinSql(parts, ' and ') : joinSql(parts, ' or ')
    return sql`(${joined})`
  }
  if (condition.kind === 'exists') {
    return printMembership(condition, context) ?? printFilter(condition, context)
  }
  if (condition.kind === 'not' && condition.operand.kind === 'exists') {
    const membership = printMembership(condition.operand, context, 'exact')
    if (membership !== undefined) return sql`(not ${membership})`
  }
  return printFilter(condition, context)
}

/** EXISTS as IN where the server makes a join of it: in a conjunction. In an alternative IN would read the whole table. */
function printJoinedFilter(condition: Expression, context: PrintContext): Sql {
  if (condition.kind === 'logical' && condition.operator === 'and') {
    const parts = condition.operands.map((each) => printJoinedFilter(each, context))
    return sql`(${joinSql(parts, ' and ')})`
  }
  const membership = condition.kind === 'exists' ? printMembership(condition, context) : undefined
  return membership ?? printFilter(condition, context)
}

/** `outer = inner`, a condition of the query inside of EXISTS. */
interface Link {
  readonly outer: Expression
  readonly inner: Expression
  readonly condition: Expression
}

/**
 * `exists (select ... where inner = outer and ...)` as `(outer in (select inner ... where ...))`; undefined without such a
 * condition.
 *
 * @param mode `exact`: NULL and false must stay distinct, so that neither side may be NULL.
 */
function printMembership(
  { query }: Exists,
  context: PrintContext,
  mode: 'filter' | 'exact' = 'filter',
): Sql | undefined {
  if (query.kind !== 'select' || !isPlain(query)) return undefined
  const link = linksOf(query, context).find(
    (each) => mode === 'filter' || !mayBeNull(each, query, context),
  )
  if (link === undefined) return undefined
  const isNative = comparesNatively(classOfType(link.outer.type, context))
  const column = looseColumn(link.outer, context)
  const isAlike = column !== undefined && haveOneCollation(column.stored, innerColumn(link, query))
  const loose = column?.yields || isAlike ? column?.sql : undefined
  const isWhole = isNative && loose === undefined
  // A column's own comparison finds more than the equal values: then the condition itself stays.
  const where = isWhole ? without(query.where, link.condition) : query.where
  const { type } = link.inner
  const members: Query = { ...query, columns: [{ name: '', type }], outputs: [link.inner], where }
  const left = loose ?? keyOf(link.outer, context)
  const right = context.printQuery(members, context, isAlike ? 'stored' : 'key')
  return sql`(${left} in (${right.sql}))`
}

function isPlain(query: Extract<Query, { readonly kind: 'select' }>): boolean {
  return (
    query.ctes.length === 0 &&
    query.distinct === 'none' &&
    !query.isAggregated &&
    query.limit === undefined &&
    query.offset === undefined &&
    query.from.every(({ kind }) => kind === 'securedTable')
  )
}

function linksOf(
  query: Extract<Query, { readonly kind: 'select' }>,
  context: PrintContext,
): readonly Link[] {
  const inside = new Set(query.from.map((item) => ('id' in item ? item.id : undefined)))
  const isInner = (each: Expression) => each.kind === 'column' && inside.has(each.relation)
  const isOuter = (each: Expression) => each.kind === 'column' && !inside.has(each.relation)
  return conjunctsOf(query.where).flatMap((condition): readonly Link[] => {
    if (condition.kind !== 'operator' || condition.operator.name !== '=') return []
    const { left, right } = condition
    if (left === undefined) return []
    if (classOfType(left.type, context) !== classOfType(right.type, context)) return []
    if (isInner(left) && isOuter(right)) return [{ outer: right, inner: left, condition }]
    return isOuter(left) && isInner(right) ? [{ outer: left, inner: right, condition }] : []
  })
}

function mayBeNull(
  link: Link,
  query: Extract<Query, { readonly kind: 'select' }>,
  context: PrintContext,
): boolean {
  const isNullable = innerColumn(link, query)?.nullable ?? true
  return isNullable || propertiesOf(link.outer, context).isNullable
}

function innerColumn(
  { inner }: Link,
  query: Extract<Query, { readonly kind: 'select' }>,
): Column | undefined {
  if (inner.kind !== 'column') return undefined
  const item = query.from.find((each) => each.kind === 'securedTable' && each.id === inner.relation)
  return item?.kind === 'securedTable' ? item.table.columns[inner.column] : undefined
}

function conjunctsOf(condition: Expression | undefined): readonly Expression[] {
  if (condition === undefined) return []
  return condition.kind === 'logical' && condition.operator === 'and'
    ? condition.operands
    : [condition]
}

function without(condition: Expression | undefined, part: Expression): Expression | undefined {
  const rest = conjunctsOf(condition).filter((each) => each !== part)
  const [first] = rest
  if (condition === undefined || rest.length < 2) return first
  return condition.kind === 'logical' ? { ...condition, operands: rest } : condition
}
