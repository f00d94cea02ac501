/** @module One SELECT. */

import {
  clauses,
  columnName,
  columnsOf,
  commaList,
  groupedByOutputs,
  groupingKeys,
  integer,
  joinSql,
  overDerivedTable,
  renderSql,
  type Sql,
  type Steps,
  sortedExpressions,
  sql,
} from '@engine/core/print'
import { type Expression, freeRelationsOf, type Locking, type SelectQuery } from '@engine/core/tree'
import { groupKeyOf, sortKeyOf, storedOr } from '../expression/comparison/comparison.ts'
import { forcedSortTerm, isSame, sortTerm } from '../expression/comparison/print-sort-keys.ts'
import { printFilter } from '../expression/print-filter.ts'
import {
  aliasOf,
  classOfType,
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  refuse,
  requireApart,
  type ValueProperties,
} from '../print-context.ts'
import { printLimit } from '../print-limit.ts'
import { comparesNatively } from '../type-class.ts'
import { propertiesOf } from '../value-properties.ts'
import { withKeysInConstantWindows } from './constant-window-workaround.ts'
import { requireNoContainment } from './containment-in-keys.ts'
import { hasWindow } from './has-window.ts'
import { printInForm } from './output-form.ts'
import { printFrom } from './print-from.ts'
import { printHaving } from './print-having.ts'
import { printLocking } from './print-locking.ts'

/** Without its WITH part. In steps: the outputs one by one. */
export function* printSelect(
  given: SelectQuery,
  context: PrintContext,
  form: OutputForm,
): Steps<PrintedQuery> {
  const query = withKeysInConstantWindows(given, context)
  if (forgetsOffset(query, context)) return yield* printOffsetAround(query, context, form)
  const isDistinct = query.distinct === 'all'
  const from = query.from.length === 0 ? undefined : printFrom(query.from, context, query.locking)
  const outputForm = isDistinct && form === 'stored' ? 'value' : form
  const outputs: PrintedOutput[] = []
  for (const output of query.outputs) {
    outputs.push(printOutput(output, context, outputForm))
    yield
  }
  if (isDistinct && form !== 'key' && !canCompareOutputs(query, outputs, context)) {
    return yield* printSelect(distinctAsGroups(query, context), context, form)
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
  const { offsetOfDistinctConstants } = context.traits.faults
  if (!offsetOfDistinctConstants || query.distinct !== 'all' || query.offset === undefined) {
    return false
  }
  return query.outputs.every((each) => freeRelationsOf(each).size === 0)
}

function* printOffsetAround(
  query: SelectQuery,
  context: PrintContext,
  form: OutputForm,
): Steps<PrintedQuery> {
  requireApart(query, 'OFFSET of distinct constants', context)
  const rows = { ...query, orderBy: [], limit: undefined, offset: undefined, locking: [] }
  const { sql: inner, columns } = yield* printSelect(rows, context, form)
  const alias = aliasOf(context.nextId(), context)
  const names = columnsOf(alias, columns)
  const list = names.length === 0 ? sql`1 as c0` : commaList(names)
  return { sql: sql`select ${list} from (${inner}) as ${alias}${printLimit(query)}`, columns }
}

/** One clause locks the rows of all tables: MariaDB has no OF. */
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
  const properties = propertiesOf(expression, context)
  if (properties.stored !== undefined && form === 'stored') {
    return { ...properties, sql: storedOr(expression, context) }
  }
  const isDecimal = form === 'stored' || form === 'value'
  return {
    stored: undefined,
    isNullable: properties.isNullable,
    scale: isDecimal ? properties.scale : undefined,
    sql: printInForm(expression, context, form),
  }
}

function printGroups(query: SelectQuery, context: PrintContext): Sql | undefined {
  const expressions = groupingKeys(query) ?? []
  if (expressions.length === 0) return undefined
  const keys = expressions.filter((each) => !isSame(each))
  for (const key of keys) requireNoContainment(key, context)
  // Without a key that separates rows there is one group, but none if there are no rows.
  if (keys.length === 0) return sql`null`
  return commaList(namedOnce(keys.map((each) => groupKeyOf(each, context))))
}

/**
 * Keys of which no two are columns of one name: `t1.c3, coalesce(t2.c3)`. MariaDB moves a condition on a derived table into its
 * HAVING, and cannot resolve an ambiguous `c3` there.
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
  const terms = sortedExpressions(query).flatMap(({ key, expression, output: index }) => {
    if (isSame(expression)) return []
    const output = index === undefined ? undefined : outputs[index]
    const { isNullable } = propertiesOf(expression, context)
    const value = sortKeyOf(expression, context)
    const isAsShown =
      output !== undefined && index !== undefined && sortsAsShown(expression, output, context)
    const shown = isAsShown ? integer(index + 1) : value
    return [isForced ? forcedSortTerm(shown, value, key) : sortTerm(shown, value, key, isNullable)]
  })
  return terms.length === 0 ? undefined : joinSql(terms, ', ')
}

/** Does the printed output sort like the value? */
function sortsAsShown(
  expression: Expression,
  output: ValueProperties,
  context: PrintContext,
): boolean {
  const typeClass = classOfType(expression.type, context)
  if (output.stored !== undefined || !comparesNatively(typeClass)) return false
  return typeClass !== 'numeric' || output.scale !== undefined
}

/** Are equal outputs identical in printed form? */
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

/** Groups compare by keys. */
function distinctAsGroups(query: SelectQuery, context: PrintContext): SelectQuery {
  const isPlain = !query.isAggregated && !query.outputs.some(hasWindow)
  if (isPlain) return groupedByOutputs(query)
  requireApart(query, 'DISTINCT over groups of this type', context)
  return groupedByOutputs(overDerivedTable(query, context.nextId()))
}
