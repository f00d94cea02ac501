/** @module Subqueries as values: scalars, arrays, EXISTS, ANY and ALL. */

import { GatewayError } from '@engine/core/adapter'
import type { PgOperator, SqlType } from '@engine/core/catalog'
import { columnName, commaList, integer, isComparison, type Sql, sql } from '@engine/core/print'
import {
  type ArraySubquery,
  type Expression,
  isVolatile,
  type QuantifiedArray,
  type QuantifiedSubquery,
  type Query,
} from '@engine/core/tree'
import { mostRepeated } from '../let-binding.ts'
import {
  aliasOf,
  anyValue,
  call,
  classOfType,
  type PrintContext,
  print,
  refuse,
} from '../print-context.ts'
import { storedUnits } from '../read-stored.ts'
import { comparesNatively } from '../type-class.ts'
import { valueAsColumn } from '../value-as-column.ts'
import { decimalScaleOf, keyOf, keyOfValue, printComparison, storedOr } from './comparison.ts'
import { elementJson, elementOfJson } from './forms/array-element.ts'
import { printOperator } from './print-operator.ts'
import { printRowSubquery } from './print-row-subquery.ts'

/** At most one row: lowering guarantees that. */
export function printScalarSubquery(query: Query, context: PrintContext): Sql {
  return sql`(${context.printQuery(query, context, 'value').sql})`
}

/** More than one row is an error, 21000; SQLite itself would take the first. */
export function printSingleRow(query: Query, context: PrintContext): Sql {
  const printed = context.printQuery(query, context, 'value').sql
  const alias = aliasOf(context.nextId(), context)
  const column = sql`${alias}.${columnName(0)}`
  const value = call('only_row', sql`count(*)`, call('max', column))
  return sql`(select ${value} from (select * from (${printed}) limit 2) as ${alias})`
}

export function printArraySubquery(expression: ArraySubquery, context: PrintContext): Sql {
  const { query, position } = expression
  const [column] = query.columns
  if (column === undefined) throw new GatewayError('internal', 'an array of no column')
  const alias = aliasOf(context.nextId(), context)
  const printed = context.printQuery(query, context, 'value').sql
  const item = elementJson(sql`${alias}.${columnName(0)}`, column.type, context, position)
  const joined = sql`group_concat(${item}, ',')`
  const items = sql`'[' || case when octet_length(${joined}) > 10000000 then ${call('too_long')} else ${joined} end || ']'`
  return sql`(select ifnull(${items}, '[]') from (${printed}) as ${alias})`
}

export function printExists(query: Query, context: PrintContext): Sql {
  return sql`exists (${context.printQuery(withoutOutputs(query), context, 'value').sql})`
}

/** EXISTS needs only rows: their values need not be computed. */
function withoutOutputs(query: Query): Query {
  if (query.kind !== 'select' || query.isAggregated || query.distinct !== 'none') return query
  if (query.orderBy.some(({ expression }) => expression.kind === 'output')) return query
  if (query.outputs.some((each) => each.kind === 'call' && each.function.returnsSet)) return query
  const type: SqlType = { oid: 16, typmod: -1 }
  return {
    ...query,
    columns: [{ name: '', type }],
    outputs: [{ kind: 'constant', value: 'true', type }],
  }
}

export function printQuantifiedSubquery(
  expression: QuantifiedSubquery,
  context: PrintContext,
): Sql {
  const { comparison, quantifier, operands, query } = expression
  if (quantifier === 'one') return printRowSubquery(expression, context)
  const printed = context.printQuery(query, context, 'value')
  const alias = aliasOf(context.nextId(), context)
  const typeClasses = query.columns.map(({ type }) => classOfType(type, context))
  const right = typeClasses.map((typeClass, index) => {
    const properties = { ...(printed.columns[index] ?? anyValue), scale: undefined }
    return keyOfValue(sql`${alias}.${columnName(index)}`, typeClass, properties, context)
  })
  const left = operands.map((each) => keyOf(each, context))
  const isNative = typeClasses.every((each) => comparesNatively(each))
  if (comparison !== '=' || quantifier !== 'any') {
    throw new GatewayError('internal', 'a quantified subquery that was not lowered')
  }
  const source = isNative
    ? printed.sql
    : sql`select ${commaList(right)} from (${printed.sql}) as ${alias}`
  return sql`(${row(left)} in (${source}))`
}

/**
 * `(select f(t1.c1, t1.c1) from (select value as c1) as t1)` where the value is long. SQLite does not flatten a query without a
 * FROM clause, so that the value is computed once for each row.
 */
function namedInSubquery(value: Sql, context: PrintContext, body: (name: Sql) => Sql): Sql {
  if (value.size <= mostRepeated) return body(value)
  const alias = aliasOf(context.nextId(), context)
  const column = columnName(0)
  return sql`(select ${body(sql`${alias}.${column}`)} from (select ${value} as ${column}) as ${alias})`
}

/** A long result is a column of a query that SQLite does not flatten: one with LIMIT under an aggregate. */
function summaryOf(
  outcome: Sql,
  quantifier: 'any' | 'all',
  source: Sql,
  context: PrintContext,
): Sql {
  if (outcome.size <= mostRepeated) return summary(outcome, quantifier, source)
  const alias = aliasOf(context.nextId(), context)
  const column = columnName(0)
  const outcomes = sql`(select ${outcome} as ${column} from ${source} limit -1) as ${alias}`
  return summary(sql`${alias}.${column}`, quantifier, outcomes)
}

/** ANY: TRUE if one result is TRUE; ALL: FALSE if one is FALSE; otherwise unknown if one is NULL. */
function summary(outcome: Sql, quantifier: 'any' | 'all', source: Sql): Sql {
  const unknown = sql`when count(*) > count(${outcome}) then null`
  return quantifier === 'any'
    ? sql`(select case when max(${outcome}) = 1 then 1 ${unknown} else 0 end from ${source})`
    : sql`(select case when min(${outcome}) = 0 then 0 ${unknown} else 1 end from ${source})`
}

function row(values: readonly Sql[]): Sql {
  return values.length === 1 ? commaList(values) : sql`(${commaList(values)})`
}

/**
 * `operand <operator> any | all (array)`, where the array is a value.
 *
 * @param isFilter NULL and false mean the same here, so that the condition can use an index.
 */
export function printQuantifiedArray(
  expression: QuantifiedArray,
  context: PrintContext,
  isFilter = false,
): Sql {
  const { array, operand, position } = expression
  const left = print(operand, context)
  if (left.size > mostRepeated && !isVolatile(operand)) {
    // Otherwise it would be computed for each element.
    return namedInSubquery(left, context, (name) => {
      const named = { ...expression, operand: valueAsColumn(name, operand.type, context) }
      return printQuantifiedArray(named, context, isFilter)
    })
  }
  const elementOid = context.types.elementTypeOid(array.type.oid)
  if (elementOid === undefined) return refuse('ANY or ALL over this type', position)
  const flat = call('array_flat', print(array, context))
  return namedInSubquery(flat, context, (values) =>
    printAnyOrAll(expression, elementOid, values, context, isFilter),
  )
}

/** @param values the array, which is used several times */
function printAnyOrAll(
  expression: QuantifiedArray,
  elementOid: number,
  values: Sql,
  context: PrintContext,
  isFilter: boolean,
): Sql {
  const { operator, quantifier, operand, array, position } = expression
  const elementType: SqlType = { oid: operator.rightOid, typmod: -1 }
  const alias = aliasOf(context.nextId(), context)
  const element = elementOfJson(
    sql`${alias}.value`,
    { oid: elementOid, typmod: -1 },
    context,
    position,
  )
  const source = sql`json_each(${values}) as ${alias}`
  if (operator.name === '=' && quantifier === 'any') {
    const { key, itemKey } = keysFor(operand, element, elementType, context)
    const found = sql`${key} in (select ${itemKey} from ${source})`
    return isFilter || isNeverNull(array)
      ? sql`(${found})`
      : sql`(${found} or (${values} is null and null))`
  }
  const outcome = elementOutcome(operator, operand, element, elementType, context)
  const answer = summaryOf(outcome, quantifier, source, context)
  return isNeverNull(array) ? answer : sql`case when ${values} is not null then ${answer} end`
}

function isNeverNull(array: Expression): boolean {
  return array.kind === 'array' || (array.kind === 'constant' && array.value !== null)
}

function keysFor(
  operand: Expression,
  element: Sql,
  type: SqlType,
  context: PrintContext,
): { readonly key: Sql; readonly itemKey: Sql } {
  const typeClass = classOfType(type, context)
  const scale = typeClass === 'numeric' ? decimalScaleOf(operand, context) : undefined
  if (scale !== undefined) {
    return {
      key: storedUnits(storedOr(operand, context), scale),
      itemKey: call('dec_units', element, integer(scale)),
    }
  }
  return {
    key: keyOf(operand, context),
    itemKey: keyOfValue(element, typeClass, anyValue, context),
  }
}

/** The operator applied to one element, which is a column of its own in the tree. */
function elementOutcome(
  operator: PgOperator,
  operand: Expression,
  element: Sql,
  type: SqlType,
  context: PrintContext,
): Sql {
  const right = valueAsColumn(element, type, context)
  if (isComparison(operator.name)) {
    return printComparison(operator.name, operand, right, context)
  }
  const resultType: SqlType = { oid: operator.resultOid, typmod: -1 }
  return printOperator(
    { kind: 'operator', operator, left: operand, right, type: resultType },
    context,
  )
}
