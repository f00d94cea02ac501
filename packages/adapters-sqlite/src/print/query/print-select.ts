/** @module One SELECT. */

import {
  allOf,
  clauses,
  columnName,
  columnNames,
  commaList,
  groupedByOutputs,
  groupingKeys,
  integer,
  overDerivedTable,
  type Sql,
  type Steps,
  sortedExpressions,
  sql,
} from '@engine/core/print'
import { type Expression, type SelectQuery, visitExpression } from '@engine/core/tree'
import { expandedSizeOf } from '../expanded-size.ts'
import { groupKeyOf, sortKeyOf, storedOr } from '../expression/comparison.ts'
import { printFilter } from '../expression/print-filter.ts'
import { sortTerm } from '../expression/print-sort-keys.ts'
import {
  classOfType,
  type OutputForm,
  type PrintContext,
  type PrintedQuery,
  print,
  type ValueProperties,
} from '../print-context.ts'
import { printLimit } from '../print-limit.ts'
import { isReadAsStored, storedDecimal } from '../read-stored.ts'
import { comparesNatively } from '../type-class.ts'
import { propertiesOf } from '../value-properties.ts'
import { printFrom } from './print-from.ts'

/** Without its WITH part. In steps: the outputs one by one. */
export function* printSelect(
  query: SelectQuery,
  context: PrintContext,
  form: OutputForm,
): Steps<PrintedQuery> {
  const isDistinct = query.distinct === 'all'
  if (isDistinct && !canCompareOutputs(query, context)) {
    const grouped = groupedByOutputs(overDerivedTable(query, context.nextId()))
    return yield* printSelect(grouped, context, form)
  }
  const from = query.from.length === 0 ? undefined : printFrom(query.from, context)
  const where = allOf([
    ...(from?.conditions ?? []),
    query.where === undefined ? undefined : printFilter(query.where, context),
  ])
  // Compared values must have the same form.
  const outputForm = isDistinct ? 'value' : form
  const outputs: PrintedOutput[] = []
  for (const output of query.outputs) {
    outputs.push(printOutput(output, context, outputForm))
    yield
  }
  const named = outputs.map((each, index) => sql`${each.sql} as ${columnName(index)}`)
  const groups = printGroups(query, context)
  const isWrapped = needsAggregate(query, groups)
  if (isWrapped) named.push(sql`count(*) as n`)
  const having = query.having === undefined ? undefined : printFilter(query.having, context)
  const order = printOrder(query, outputs, context)
  const list = named.length === 0 ? sql`1` : commaList(named)
  const select = clauses(
    isDistinct ? sql`select distinct ${list}` : sql`select ${list}`,
    from && sql`from ${from.sql}`,
    where && sql`where ${where}`,
    groups && sql`group by ${groups}`,
    having && sql`having ${having}`,
    order && sql`order by ${order}`,
  )
  const limited = sql`${select}${printLimit(query, context)}`
  if (!isWrapped) return { sql: limited, columns: outputs }
  return { sql: sql`select ${columnNames(outputs)} from (${limited})`, columns: outputs }
}

/** SQLite accepts HAVING without GROUP BY only where the result has an aggregate; one in a window's ORDER BY does not count. */
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
  const properties = {
    ...propertiesOf(expression, context),
    expandedSize: expandedSizeOf(expression, context),
  }
  if (properties.stored === undefined) return { ...properties, sql: print(expression, context) }
  if (form === 'stored') return { ...properties, sql: storedOr(expression, context) }
  const isSame = isReadAsStored(properties.stored, context.types)
  return {
    ...properties,
    stored: isSame ? properties.stored : undefined,
    sql: print(expression, context),
  }
}

function printGroups(query: SelectQuery, context: PrintContext): Sql | undefined {
  const keys = groupingKeys(query) ?? []
  return keys.length === 0 ? undefined : commaList(keys.map((each) => groupKeyOf(each, context)))
}

/** A result column is named by its position, unless it must be converted to be sorted. */
function printOrder(
  query: SelectQuery,
  outputs: readonly PrintedOutput[],
  context: PrintContext,
): Sql | undefined {
  const terms = sortedExpressions(query).map(({ key, expression, output: index }) => {
    const output = index === undefined ? undefined : outputs[index]
    const value =
      output !== undefined && index !== undefined && sortsAsItIs(expression, output, context)
        ? integer(index + 1)
        : sortKeyOf(expression, context)
    return sortTerm(value, key, propertiesOf(expression, context).isNullable)
  })
  return terms.length === 0 ? undefined : commaList(terms)
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
