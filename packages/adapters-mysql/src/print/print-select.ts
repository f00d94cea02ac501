/** @module One SELECT. */
import {
  clauses,
  columnName,
  commaList,
  type Expression,
  freeRelationsOf,
  GatewayError,
  integer,
  joinSql,
  type Locking,
  renderSql,
  type SelectQuery,
  type SortKey,
  type Sql,
  sameExpression,
  sql,
} from '@engine/core/adapter'
import { withBorrowedKeys } from './borrowed-windows.ts'
import { groupKeyOf, sortKeyOf, storedOr } from './comparison.ts'
import { factsOf } from './facts.ts'
import { hasWindow } from './has-window.ts'
import { printInForm } from './output-form.ts'
import {
  aliasOf,
  classOfType,
  isMariaDb,
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  refuse,
  requireApart,
  type ValueProperties,
} from './print-context.ts'
import { printFilter } from './print-filter.ts'
import { printFrom } from './print-from.ts'
import { printHaving } from './print-having.ts'
import { printLimit } from './print-limit.ts'
import { printLocking } from './print-locking.ts'
import { forcedSortTerm, isSame, sortTerm } from './print-sort-keys.ts'
import { comparesNatively } from './type-class.ts'

/** Without its WITH part. */
export function printSelect(
  given: SelectQuery,
  context: PrintContext,
  form: OutputForm,
): PrintedQuery {
  const query = withBorrowedKeys(given, context)
  if (forgetsOffset(query, context)) return printOffsetAround(query, context, form)
  const isDistinct = query.distinct === 'all'
  const from = query.from.length === 0 ? undefined : printFrom(query.from, context, query.locking)
  const outputForm = isDistinct && form === 'stored' ? 'value' : form
  const outputs = query.outputs.map((each) => printOutput(each, context, outputForm))
  if (isDistinct && form !== 'key' && !canCompareOutputs(query, outputs, context)) {
    return printSelect(distinctAsGroups(query, context), context, form)
  }
  const named = outputs.map((each, index) => sql`${each.sql} as ${columnName(index)}`)
  const groups = printGroups(query, context)
  const having = printHaving(query, context)
  const order = printOrder(query, outputs, context)
  const list = named.length === 0 ? sql`1 as c0` : commaList(named)
  const parts = [
    isDistinct ? sql`select distinct ${list}` : sql`select ${list}`,
    from && sql`from ${from}`,
    query.where && sql`where ${printFilter(query.where, context)}`,
    groups && sql`group by ${groups}`,
    having && sql`having ${having}`,
    order && sql`order by ${order}`,
  ]
  const locks = printLocks(query.locking, context)
  return { sql: sql`${clauses(...parts)}${printLimit(query)}${locks}`, columns: outputs }
}

/** MariaDB does not skip the one row of `select distinct 1 from t limit 3 offset 1`. */
function forgetsOffset(query: SelectQuery, context: PrintContext): boolean {
  if (!isMariaDb(context) || query.distinct !== 'all' || query.offset === undefined) return false
  return query.outputs.every((each) => freeRelationsOf(each).size === 0)
}

function printOffsetAround(
  query: SelectQuery,
  context: PrintContext,
  form: OutputForm,
): PrintedQuery {
  requireApart(query, 'OFFSET of distinct constants', context)
  const rows = { ...query, orderBy: [], limit: undefined, offset: undefined, locking: [] }
  const { sql: inner, columns } = printSelect(rows, context, form)
  const alias = aliasOf(context.nextId(), context)
  const names = columns.map(
    (_, index) => sql`${alias}.${columnName(index)} as ${columnName(index)}`,
  )
  const list = names.length === 0 ? sql`1 as c0` : commaList(names)
  return { sql: sql`select ${list} from (${inner}) as ${alias}${printLimit(query)}`, columns }
}

/** One clause locks the rows of all tables; which of them, MariaDB cannot say. */
function printLocks(locking: readonly Locking[], context: PrintContext): Sql {
  const [first, ...others] = locking
  if (first === undefined) return sql``
  if (others.some(({ strength, wait }) => strength !== first.strength || wait !== first.wait)) {
    return refuse('locking clauses of different kinds', undefined)
  }
  return printLocking(first, context)
}

interface PrintedOutput extends ValueProperties {
  readonly sql: Sql
}

function printOutput(
  expression: Expression,
  context: PrintContext,
  form: OutputForm,
): PrintedOutput {
  const facts = factsOf(expression, context)
  if (facts.stored !== undefined && form === 'stored') {
    return { ...facts, sql: storedOr(expression, context) }
  }
  const isDecimal = form === 'stored' || form === 'value'
  return {
    stored: undefined,
    isNullable: facts.isNullable,
    scale: isDecimal ? facts.scale : undefined,
    sql: printInForm(expression, context, form),
  }
}

function printGroups(query: SelectQuery, context: PrintContext): Sql | undefined {
  const { groupBy } = query
  if (groupBy === undefined) return undefined
  const [set, ...others] = groupBy.sets
  if (set === undefined || others.length > 0) {
    throw new GatewayError('internal', 'grouping sets were not lowered')
  }
  const expressions = set.map((index) => {
    const expression = groupBy.expressions[index]
    if (expression === undefined) throw new GatewayError('internal', 'a grouping key is missing')
    return expression
  })
  if (expressions.length === 0) return undefined
  const keys = expressions.filter((each) => !isSame(each))
  // Without any key that parts rows there is one group, yet none where there are no rows.
  if (keys.length === 0) return sql`null`
  return commaList(namedOnce(keys.map((each) => groupKeyOf(each, context))))
}

/**
 * Keys of which no two are columns of one name: `t1.c3, coalesce(t2.c3)`. MariaDB puts a condition on a derived table into its
 * HAVING, and does not find there which `c3` is meant.
 */
function namedOnce(keys: readonly Sql[]): readonly Sql[] {
  const names = new Set<string>()
  return keys.map((key) => {
    const name = /\.(`[^`]*`|\w+)$/.exec(renderSql(key, { kind: 'positional' }, '`').text)?.[1]
    if (name === undefined) return key
    const isTaken = names.has(name)
    names.add(name)
    return isTaken ? sql`coalesce(${key})` : key
  })
}

/** A result column is named by its position, unless it must be converted to be sorted. */
function printOrder(
  query: SelectQuery,
  outputs: readonly PrintedOutput[],
  context: PrintContext,
): Sql | undefined {
  const isForced = query.isAggregated && query.outputs.some(hasWindow)
  const terms = query.orderBy.flatMap((key) => {
    const index = outputIndex(key)
    const expression = index === undefined ? key.expression : query.outputs[index]
    const output = index === undefined ? undefined : outputs[index]
    if (expression === undefined) throw new GatewayError('internal', 'a sort key is missing')
    if (isSame(expression)) return []
    const { isNullable } = factsOf(expression, context)
    const value = sortKeyOf(expression, context)
    const isAsShown =
      output !== undefined && index !== undefined && sortsAsShown(expression, output, context)
    const shown = isAsShown ? integer(index + 1) : value
    return [isForced ? forcedSortTerm(shown, value, key) : sortTerm(shown, value, key, isNullable)]
  })
  return terms.length === 0 ? undefined : joinSql(terms, ', ')
}

function outputIndex(key: SortKey): number | undefined {
  const { expression } = key
  return expression.kind === 'output' ? expression.index : undefined
}

/** Does the printed output sort as the value does? */
function sortsAsShown(
  expression: Expression,
  output: ValueProperties,
  context: PrintContext,
): boolean {
  const typeClass = classOfType(expression.type, context)
  if (output.stored !== undefined || !comparesNatively(typeClass)) return false
  return typeClass !== 'numeric' || output.scale !== undefined
}

/** Are equal outputs identical as they are printed? */
function canCompareOutputs(
  query: SelectQuery,
  outputs: readonly PrintedOutput[],
  context: PrintContext,
): boolean {
  return query.outputs.every((expression, index) => {
    const output = outputs[index]
    return output !== undefined && sortsAsShown(expression, output, context)
  })
}

/** `select distinct a, b from t` as `select a, b from t group by a, b`, where grouping compares by keys. */
function distinctAsGroups(query: SelectQuery, context: PrintContext): SelectQuery {
  const isPlain = !query.isAggregated && !query.outputs.some(hasWindow)
  const rows = isPlain ? query : overDerived(query, context)
  const { outputs } = rows
  return {
    ...rows,
    distinct: 'none',
    groupBy: { expressions: outputs, sets: [outputs.map((_, index) => index)] },
    isAggregated: true,
  }
}

/** `select a, b from (<query without DISTINCT and what follows>) order by ...` */
function overDerived(query: SelectQuery, context: PrintContext): SelectQuery {
  requireApart(query, 'DISTINCT over groups of this type', context)
  const id = context.nextId()
  const inner: SelectQuery = {
    ...query,
    ctes: [],
    distinct: 'none',
    orderBy: [],
    limit: undefined,
    offset: undefined,
    locking: [],
  }
  const outputs = query.columns.map(
    ({ type }, column): Expression => ({ kind: 'column', relation: id, column, type }),
  )
  return {
    ...query,
    distinct: 'none',
    outputs,
    from: [{ kind: 'subquery', id, query: inner, lateral: false }],
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    orderBy: query.orderBy.map((key) => ({ ...key, expression: sortedOutput(key, query) })),
    locking: [],
  }
}

function sortedOutput(key: SortKey, query: SelectQuery): Expression {
  const { expression } = key
  if (expression.kind === 'output') return expression
  const index = query.outputs.findIndex((each) => sameExpression(each, expression))
  if (index < 0) throw new GatewayError('internal', 'DISTINCT is sorted by what it does not give')
  return { kind: 'output', index, type: expression.type }
}
