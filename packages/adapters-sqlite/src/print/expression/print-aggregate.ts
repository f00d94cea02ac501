/** @module Aggregates: SQLite's own where they give PostgreSQL's result, the adapter's where they do not. */

import { numericOfTypmod } from '@engine/core/catalog'
import { boundToLevel, commaList, integer, keyword, type Sql, sql } from '@engine/core/print'
import { type Aggregate, type Expression, hasPart, type WindowCall } from '@engine/core/tree'
import {
  call,
  classOfType,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from '../print-context.ts'
import { readStored, storedUnits } from '../read-stored.ts'
import { isFloat, isInteger } from '../type-class.ts'
import type { AggregateCall, Part } from './aggregate-part.ts'
import { decimalScaleOf, groupKeyOf, keyOf, storedOr } from './comparison.ts'
import { elementJson } from './forms/array-element.ts'
import { concatenation, jsonFragment } from './forms/json-form.ts'
import { keyForm } from './forms/text-form.ts'
import { printSortKeys } from './print-sort-keys.ts'
import { variance } from './variance.ts'

type AggregateExpression = Aggregate | WindowCall

export function printAggregate(expression: Aggregate, context: PrintContext): Sql {
  const { distinct, orderBy, filter, withinGroup, position } = expression
  const name = expression.function.name
  if (withinGroup) return refuse(`the ordered-set aggregate ${name}`, position)
  const sorted = keepsOrder(expression, context) ? orderBy : []
  // PostgreSQL removes duplicates by sorting, which is visible in the result.
  const [argument] = expression.args
  const keys = printSortKeys(sorted, context)
  const order =
    keys !== undefined
      ? sql` order by ${keys}`
      : distinct && argument !== undefined && isOrdered(expression, context)
        ? sql` order by ${keyOf(argument, context)} nulls last`
        : sql``
  const suffix = filter === undefined ? sql`` : sql` filter (where ${print(filter, context)})`
  const word = distinct ? keyword('distinct ') : sql``
  const hasColumn = refersToColumn(expression)
  const make: AggregateCall = (aggregate, ...args) => {
    const made = sql`${keyword(aggregate)}(${word}${commaList(args)}${order})${suffix}`
    return hasColumn ? made : boundToLevel(made)
  }
  return aggregateValue(expression, make, context)
}

/** `count(*)` uses no column of its query: inside a subquery it would count the rows of that subquery. */
function refersToColumn({ args, filter }: Aggregate): boolean {
  const parts = filter === undefined ? args : [...args, filter]
  return parts.some((part) => hasPart(part, ({ kind }) => kind === 'column'))
}

/** Does the result depend on the order of the rows? */
function isOrdered(expression: AggregateExpression, context: PrintContext): boolean {
  const [argument] = expression.args
  const { name } = expression.function
  if (orderedAggregates.has(name)) return true
  const isSum = name === 'sum' || name === 'avg'
  return isSum && argument !== undefined && isFloat(classOfType(argument.type, context))
}

function keepsOrder(expression: Aggregate, context: PrintContext): boolean {
  return expression.orderBy.length > 0 && isOrdered(expression, context)
}

const orderedAggregates: ReadonlySet<string> = new Set([
  'string_agg',
  'array_agg',
  'json_agg',
  'jsonb_agg',
  'json_object_agg',
  'jsonb_object_agg',
])

/** `make` writes one call with DISTINCT, FILTER and OVER as the expression has them. */
export function aggregateValue(
  expression: AggregateExpression,
  make: AggregateCall,
  context: PrintContext,
): Sql {
  const { args, position } = expression
  const { name, signature } = expression.function
  const isDistinct = expression.kind === 'aggregate' && expression.distinct
  const [argument, second] = args
  if (name === 'count') return count(argument, isDistinct, make, context)
  if (argument === undefined) return refuse(`the aggregate ${signature}`, position)
  const typeClass = classOfType(argument.type, context)
  const isWindow = expression.kind === 'window'
  const aggregate: Part = { argument, second, typeClass, isDistinct, isWindow, make, context }
  switch (name) {
    case 'sum':
      return sum(aggregate) ?? refuse(`the aggregate ${signature}`, position)
    case 'avg':
      return average(aggregate) ?? refuse(`the aggregate ${signature}`, position)
    case 'min':
    case 'max':
      return extreme(aggregate, name) ?? refuse(`the aggregate ${signature}`, position)
    case 'bool_and':
    case 'every':
      return make('min', print(argument, context))
    case 'bool_or':
      return make('max', print(argument, context))
    case 'bit_and':
      return make('int_and', print(argument, context))
    case 'bit_or':
      return make('int_or', print(argument, context))
    case 'bit_xor':
      return make('int_xor_all', print(argument, context))
    case 'string_agg':
      return joined(aggregate)
    case 'array_agg':
      return collected(aggregate)
    case 'json_agg':
    case 'jsonb_agg': {
      const list = jsonList(aggregate)
      return name === 'jsonb_agg' ? call('pg_jsonb', list) : list
    }
    case 'json_object_agg':
    case 'jsonb_object_agg': {
      const object = jsonObject(aggregate)
      return name === 'jsonb_object_agg' ? call('pg_jsonb', object) : object
    }
    default:
      return variance(aggregate, name) ?? refuse(`the aggregate ${signature}`, position)
  }
}

function count(
  argument: Expression | undefined,
  isDistinct: boolean,
  make: AggregateCall,
  context: PrintContext,
): Sql {
  if (argument === undefined) return make('count', sql`*`)
  if (argument.kind === 'wholeRow') {
    return isDistinct ? refuse('count of distinct rows', argument.position) : make('count', sql`*`)
  }
  if (argument.kind === 'row') {
    if (!isDistinct) return make('count', sql`*`)
    return make(
      'count',
      call('row_key', ...argument.fields.map((each) => groupKeyOf(each, context))),
    )
  }
  return make('count', isDistinct ? groupKeyOf(argument, context) : storedOr(argument, context))
}

/** The most digits for which a sum of units stays within 64 bits for any realistic number of rows (a million million). */
const mostSummableDigits = 12

/** `sum(units)` of a stored decimal, as a decimal. */
function sumOfUnits({ argument, make, context }: Part): Sql | undefined {
  const scale = decimalScaleOf(argument, context)
  const precision = numericOfTypmod(argument.type.typmod)?.precision ?? Number.POSITIVE_INFINITY
  if (scale === undefined || precision > mostSummableDigits) return undefined
  const units = storedUnits(storedOr(argument, context), scale)
  return call('dec_of_units', make('sum', units), integer(scale))
}

/**
 * The sum of `bigint` values as a numeric. SQLite's own, which takes a third of the time for a row, fails beyond 64 bits and is REAL
 * where some value is no integer: then the statement runs again in its exact form.
 */
function integerTotal(part: Part): Sql {
  const { argument, isDistinct, make, context } = part
  const { nativeSums } = context
  const value = print(argument, context)
  if (nativeSums === undefined || isDistinct || part.isWindow) return make('dec_sum', value)
  nativeSums.count += 1
  return call('int_total', make('sum', value))
}

function sum(part: Part): Sql | undefined {
  const { argument, typeClass, isDistinct, make, context } = part
  if (typeClass === 'int2' || typeClass === 'int4') return make('sum', print(argument, context))
  if (typeClass === 'int8') return integerTotal(part)
  if (typeClass === 'numeric') {
    const name = isDistinct ? 'dec_sum_distinct' : 'dec_sum'
    return sumOfUnits(part) ?? make(name, print(argument, context))
  }
  if (typeClass === 'float8') return make('float_sum', print(argument, context))
  if (typeClass === 'float4') return call('float4', make('float4_sum', print(argument, context)))
  return typeClass === 'interval' ? make('interval_sum', print(argument, context)) : undefined
}

function average(part: Part): Sql | undefined {
  const { argument, typeClass, isDistinct, make, context } = part
  const counted = make(
    'count',
    isDistinct ? groupKeyOf(argument, context) : print(argument, context),
  )
  if (isInteger(typeClass)) {
    const name = typeClass === 'int8' ? integerTotal(part) : make('sum', print(argument, context))
    return call('dec_div', name, counted)
  }
  if (typeClass === 'numeric') {
    const total = sum(part)
    return total === undefined ? undefined : call('dec_div', total, counted)
  }
  if (typeClass === 'interval') {
    const total = make('interval_sum', print(argument, context))
    return call('interval_div', total, sql`cast(${counted} as real)`)
  }
  return isFloat(typeClass) ? make('float_avg', print(argument, context)) : undefined
}

function extreme(part: Part, name: 'min' | 'max'): Sql | undefined {
  const { argument, typeClass, make, context } = part
  switch (typeClass) {
    case 'numeric': {
      if (decimalScaleOf(argument, context) !== undefined && argument.kind === 'column') {
        const column = relationOf(argument.relation, context).column(argument.column)
        const found = make(name, column.sql)
        return column.stored === undefined ? found : readStored(column.stored, found, context.types)
      }
      return call('dec_unpack', make(name, call('dec_pack', print(argument, context))))
    }
    case 'interval':
      return call('interval_unpack', make(name, call('interval_pack', print(argument, context))))
    case 'json':
    case 'jsonb':
    case 'array':
    case 'record':
    case 'other':
      return undefined
    default:
      return make(name, print(argument, context))
  }
}

/** The delimiter is left out before the first text. */
function joined({ argument, second, typeClass, isDistinct, make, context }: Part): Sql {
  if (second === undefined || typeClass === 'bytea') {
    return refuse('string_agg of bytes', argument.position)
  }
  const [text, delimiter] = [print(argument, context), print(second, context)]
  // With DISTINCT SQLite takes one argument only.
  if (isDistinct) return call('join_texts', make('collect_texts', text), delimiter)
  return notTooLong(make('group_concat', text, sql`ifnull(${delimiter}, '')`))
}

function collected({ argument, isDistinct, make, context }: Part): Sql {
  const element = elementJson(print(argument, context), argument.type, context, argument.position)
  return list(element, sql`','`, isDistinct, make)
}

/** Rows are separated by a line break, as in PostgreSQL. */
function jsonList({ argument, isDistinct, make, context }: Part): Sql {
  const typeClass = classOfType(argument.type, context)
  const isStructured = typeClass === 'record' || typeClass === 'array'
  const separator = isStructured ? sql`', ' || char(10) || ' '` : sql`', '`
  return list(jsonFragment(argument, context), separator, isDistinct, make)
}

/** NULL where there was no row, as in PostgreSQL. */
function list(element: Sql, separator: Sql, isDistinct: boolean, make: AggregateCall): Sql {
  const items = isDistinct
    ? call('join_texts', make('collect_texts', element), separator)
    : notTooLong(make('group_concat', element, separator))
  return sql`('[' || ${items} || ']')`
}

/** Written twice, evaluated once: SQLite recognises an aggregate that occurs again. */
function notTooLong(joinedTexts: Sql): Sql {
  return sql`case when octet_length(${joinedTexts}) > 10000000 then ${call('too_long')} else ${joinedTexts} end`
}

function jsonObject({ argument, second, isDistinct, make, context }: Part): Sql {
  if (second === undefined || isDistinct) return refuse('json_object_agg', argument.position)
  const key = keyForm(print(argument, context), argument.type, context, argument.position)
  const member = concatenation([call('json_key', key), sql`' : '`, jsonFragment(second, context)])
  return sql`('{ ' || ${notTooLong(make('group_concat', member, sql`', '`))} || ' }')`
}
