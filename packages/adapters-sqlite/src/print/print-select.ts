/** @module One SELECT. */
import {
  columnName,
  type Expression,
  GatewayError,
  integer,
  joinSql,
  keyword,
  type RelationId,
  type SelectQuery,
  type SortKey,
  type Sql,
  sameExpression,
  sql,
  visitExpression,
} from '@engine/core/adapter'
import { groupKeyOf, sortKeyOf, storedOr } from './comparison.ts'
import { factsOf } from './facts.ts'
import {
  classOfType,
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  print,
  type ValueProperties,
} from './print-context.ts'
import { allOf, printFilter } from './print-filter.ts'
import { printFrom } from './print-from.ts'
import { printLimit } from './print-limit.ts'
import { sortTerm } from './print-sort-keys.ts'
import { isReadAsStored, storedDecimal } from './read-stored.ts'
import { comparesNatively } from './type-class.ts'
import { weightOf } from './weight.ts'

/** Without its WITH part. */
export function printSelect(
  query: SelectQuery,
  context: PrintContext,
  form: OutputForm,
): PrintedQuery {
  const isDistinct = query.distinct === 'all'
  if (isDistinct && !canCompareOutputs(query, context)) {
    return printSelect(distinctAsGroups(query, context.nextId()), context, form)
  }
  const from = query.from.length === 0 ? undefined : printFrom(query.from, context)
  const where = allOf([
    ...(from?.conditions ?? []),
    query.where === undefined ? undefined : printFilter(query.where, context),
  ])
  // What is compared must be in one form.
  const outputForm = isDistinct ? 'value' : form
  const outputs = query.outputs.map((each) => printOutput(each, context, outputForm))
  const named = outputs.map((each, index) => sql`${each.sql} as ${columnName(index)}`)
  const groups = printGroups(query, context)
  const isWrapped = needsAggregate(query, groups)
  if (isWrapped) named.push(sql`count(*) as n`)
  const having = query.having === undefined ? undefined : printFilter(query.having, context)
  const order = printOrder(query, outputs, context)
  const parts = [
    sql`select ${isDistinct ? keyword('distinct ') : sql``}${named.length === 0 ? sql`1` : joinSql(named, ', ')}`,
    from === undefined ? undefined : sql`from ${from.sql}`,
    where === undefined ? undefined : sql`where ${where}`,
    groups === undefined ? undefined : sql`group by ${groups}`,
    having === undefined ? undefined : sql`having ${having}`,
    order === undefined ? undefined : sql`order by ${order}`,
  ]
  const select = joinSql(
    parts.filter((each) => each !== undefined),
    ' ',
  )
  const limited = sql`${select}${printLimit(query, context)}`
  if (!isWrapped) return { sql: limited, columns: outputs }
  const names = outputs.map((_, index) => columnName(index))
  return { sql: sql`select ${joinSql(names, ', ')} from (${limited})`, columns: outputs }
}

/** SQLite takes HAVING without GROUP BY only where the result has an aggregate; one in a window's ORDER BY is none to it. */
function needsAggregate(query: SelectQuery, groups: Sql | undefined): boolean {
  if (query.having === undefined || groups !== undefined) return false
  return !query.outputs.some((output) => has(output, 'aggregate') && !has(output, 'window'))
}

function has(expression: Expression, kind: 'aggregate' | 'window'): boolean {
  let isFound = false
  visitExpression(expression, {
    expression: (each) => {
      if (each.kind === kind) isFound = true
    },
  })
  return isFound
}

interface PrintedOutput extends ValueProperties {
  readonly sql: Sql
}

function printOutput(
  expression: Expression,
  context: PrintContext,
  form: OutputForm,
): PrintedOutput {
  const facts = { ...factsOf(expression, context), weight: weightOf(expression, context) }
  if (facts.stored === undefined) return { ...facts, sql: print(expression, context) }
  if (form === 'stored') return { ...facts, sql: storedOr(expression, context) }
  const isSame = isReadAsStored(facts.stored, context.types)
  return { ...facts, stored: isSame ? facts.stored : undefined, sql: print(expression, context) }
}

function printGroups(query: SelectQuery, context: PrintContext): Sql | undefined {
  const { groupBy } = query
  if (groupBy === undefined) return undefined
  const [set, ...others] = groupBy.sets
  if (set === undefined || others.length > 0) {
    throw new GatewayError('internal', 'grouping sets were not lowered')
  }
  const keys = set.map((index) => {
    const expression = groupBy.expressions[index]
    if (expression === undefined) throw new GatewayError('internal', 'a grouping key is missing')
    return groupKeyOf(expression, context)
  })
  return keys.length === 0 ? undefined : joinSql(keys, ', ')
}

/** A result column is named by its position, unless it must be converted to be sorted. */
function printOrder(
  query: SelectQuery,
  outputs: readonly PrintedOutput[],
  context: PrintContext,
): Sql | undefined {
  if (query.orderBy.length === 0) return undefined
  const terms = query.orderBy.map((key) => {
    const index = outputIndex(key)
    const expression = index === undefined ? key.expression : query.outputs[index]
    const output = index === undefined ? undefined : outputs[index]
    if (expression === undefined) throw new GatewayError('internal', 'a sort key is missing')
    const value =
      output !== undefined && index !== undefined && sortsAsItIs(expression, output, context)
        ? integer(index + 1)
        : sortKeyOf(expression, context)
    return sortTerm(value, key, factsOf(expression, context).isNullable)
  })
  return joinSql(terms, ', ')
}

function outputIndex(key: SortKey): number | undefined {
  const { expression } = key
  return expression.kind === 'output' ? expression.index : undefined
}

function sortsAsItIs(
  expression: Expression,
  output: ValueProperties,
  context: PrintContext,
): boolean {
  if (output.stored !== undefined && storedDecimal(output.stored) !== undefined) return true
  if (!comparesNatively(classOfType(expression.type, context))) return false
  return output.stored === undefined || isReadAsStored(output.stored, context.types)
}

/** Are equal outputs identical in SQLite? */
function canCompareOutputs(query: SelectQuery, context: PrintContext): boolean {
  return query.outputs.every((each) => comparesNatively(classOfType(each.type, context)))
}

/** `select distinct a, b` as `select a, b from (...) group by a, b`, where grouping compares by keys. */
function distinctAsGroups(query: SelectQuery, id: RelationId): SelectQuery {
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
    groupBy: { expressions: outputs, sets: [outputs.map((_, index) => index)] },
    isAggregated: true,
    having: undefined,
    orderBy: query.orderBy.map((key) => ({ ...key, expression: sortedOutput(key, query) })),
  }
}

function sortedOutput(key: SortKey, query: SelectQuery): Expression {
  const { expression } = key
  if (expression.kind === 'output') return expression
  const index = query.outputs.findIndex((each) => sameExpression(each, expression))
  if (index < 0) throw new GatewayError('internal', 'DISTINCT is sorted by what it does not give')
  return { kind: 'output', index, type: expression.type }
}
