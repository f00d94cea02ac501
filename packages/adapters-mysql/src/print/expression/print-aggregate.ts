/** @module Aggregates: the server's own where they give PostgreSQL's result. Those of numerics are in `decimal-aggregate.ts`. */

import { boundToLevel, commaList, type Sql, sql } from '@engine/core/print'
import {
  type Aggregate,
  type Expression,
  isRowIndependent,
  type WindowCall,
} from '@engine/core/tree'
import { notTooLong } from '../bounded-text.ts'
import { binaryCollation, classOfType, type PrintContext, print, refuse } from '../print-context.ts'
import { isFloat, type TypeClass } from '../type-class.ts'
import { propertiesOf } from '../value-properties.ts'
import { type AggregateCall, aggregateCall } from './comparison/aggregate-call.ts'
import { groupKeyOf, keyOf, storedOr } from './comparison/comparison.ts'
import { printSortKeys } from './comparison/print-sort-keys.ts'
import { elementJson } from './forms/array-item.ts'
import { jsonFragment } from './forms/json-form.ts'
import { quotedKey } from './functions/functions-json.ts'

export function printAggregate(expression: Aggregate | WindowCall, context: PrintContext): Sql {
  const { args, position, function: called } = expression
  if (expression.kind === 'aggregate' && expression.withinGroup) {
    return refuse(`the ordered-set aggregate ${called.name}`, position)
  }
  const make: AggregateCall = (name, ...values) =>
    aggregateCall(expression, context)(name, ...values)
  const [argument, second] = args
  if (called.name === 'count') return count(expression, argument, make, context)
  if (argument === undefined) return refuse(`the aggregate ${called.signature}`, position)
  const typeClass = classOfType(argument.type, context)
  const value = () => print(argument, context)
  const found = (): Sql | undefined => {
    switch (called.name) {
      case 'sum':
        return sum(value(), typeClass, make)
      case 'avg':
        return isFloat(typeClass) ? make('avg', sql`cast(${value()} as double)`) : undefined
      case 'min':
      case 'max':
        if (!hasOrder(typeClass)) return undefined
        return isZeroInGroups(expression, argument, context)
          ? extremeMoment(called.name, value(), typeClass, make)
          : extreme(called.name, value(), make)
      case 'bool_and':
      case 'every':
        return make('min', value())
      case 'bool_or':
        return make('max', value())
      case 'bit_and':
        return bits(make('count', value()), make('bit_and', value()))
      case 'bit_or':
        return bits(make('count', value()), make('bit_or', value()))
      case 'bit_xor':
        return bits(make('count', value()), make('bit_xor', value()))
      case 'string_agg':
        return joined(expression, argument, second, context)
      case 'array_agg':
        return listed(expression, elementJson(argument, context), sql`','`, context)
      case 'json_agg':
      case 'jsonb_agg':
        return listed(expression, jsonFragment(argument, context), separatorOf(typeClass), context)
      case 'json_object_agg':
      case 'jsonb_object_agg':
        return objectOf(expression, argument, second, context)
      default:
        return undefined
    }
  }
  return found() ?? refuse(`the aggregate ${called.signature}`, position)
}

function count(
  expression: Aggregate | WindowCall,
  argument: Expression | undefined,
  make: AggregateCall,
  context: PrintContext,
): Sql {
  const isDistinct = expression.kind === 'aggregate' && expression.distinct
  if (argument === undefined) return make('count', sql`*`)
  if (argument.kind === 'wholeRow') {
    return isDistinct ? refuse('count of distinct rows', argument.position) : make('count', sql`*`)
  }
  if (argument.kind === 'row') {
    if (!isDistinct) return make('count', sql`*`)
    const keys = argument.fields.map((each) => groupKeyOf(each, context))
    return make('count', sql`(json_array(${commaList(keys)}) collate ${binaryCollation(context)})`)
  }
  if (!isDistinct) return make('count', storedOr(argument, context))
  const key = groupKeyOf(argument, context)
  if (!context.traits.faults.countsDistinctNull || !isRowIndependent(argument)) {
    return make('count', key)
  }
  const countAll = aggregateCall({ ...expression, distinct: false }, context)
  return sql`(${countAll('count', key)} > 0)`
}

function sum(value: Sql, typeClass: TypeClass, make: AggregateCall): Sql | undefined {
  if (typeClass === 'int2' || typeClass === 'int4') {
    return sql`cast(${make('sum', value)} as signed)`
  }
  if (typeClass === 'float8') return make('sum', value)
  return undefined
}

function extreme(name: 'min' | 'max', value: Sql, make: AggregateCall): Sql {
  return name === 'min' ? make('min', value) : make('max', value)
}

/** The server warns of the zero date that it keeps for a DATE or TIMESTAMP of NULL while it groups rows; a DATETIME has none. */
function isZeroInGroups(
  { kind }: Aggregate | WindowCall,
  argument: Expression,
  context: PrintContext,
): boolean {
  if (kind === 'window' || !context.traits.faults.zeroDateOfNull) return false
  const typeClass = classOfType(argument.type, context)
  const canBeZero = typeClass === 'date' || typeClass === 'timestamptz'
  return canBeZero && propertiesOf(argument, context).isNullable
}

function extremeMoment(
  name: 'min' | 'max',
  value: Sql,
  typeClass: TypeClass,
  make: AggregateCall,
): Sql {
  const moment = extreme(name, sql`cast(${value} as datetime(6))`, make)
  return typeClass === 'date' ? sql`cast(${moment} as date)` : moment
}

function hasOrder(typeClass: TypeClass): boolean {
  switch (typeClass) {
    case 'interval':
    case 'json':
    case 'jsonb':
    case 'array':
    case 'record':
    case 'bool':
    case 'other':
      return false
    default:
      return true
  }
}

/** Without rows the server returns all bits set, or none. */
function bits(counted: Sql, value: Sql): Sql {
  return sql`case when ${counted} > 0 then cast(${value} as signed) end`
}

/** PostgreSQL removes duplicates by sorting, which is visible in the result. */
function orderOf(expression: Aggregate, context: PrintContext): Sql {
  const { distinct, orderBy, args } = expression
  const [argument] = args
  const keys = printSortKeys(orderBy, context)
  if (keys !== undefined) return sql` order by ${keys}`
  const isSorted = distinct && argument !== undefined
  return isSorted
    ? sql` order by isnull(${keyOf(argument, context)}), ${keyOf(argument, context)}`
    : sql``
}

function grouped(expression: Aggregate, value: Sql, separator: Sql, context: PrintContext): Sql {
  const word = expression.distinct ? sql`distinct ` : sql``
  const { filter } = expression
  const kept =
    filter === undefined ? value : sql`case when ${print(filter, context)} then ${value} end`
  return boundToLevel(
    sql`group_concat(${word}${kept}${orderOf(expression, context)} separator ${separator})`,
  )
}

function withoutWindow(expression: Aggregate | WindowCall): Aggregate {
  return expression.kind === 'aggregate'
    ? expression
    : refuse(`${expression.function.name} as a window function`, expression.position)
}

/** A delimiter must be the same for all rows: it precedes each text, and is removed from the first one. */
function joined(
  expression: Aggregate | WindowCall,
  argument: Expression,
  second: Expression | undefined,
  context: PrintContext,
): Sql | undefined {
  const of = withoutWindow(expression)
  if (second === undefined || classOfType(argument.type, context) === 'bytea') return undefined
  if (second.kind === 'constant' && second.value === null) {
    const text = print(argument, context)
    return whole(of, grouped(of, text, sql`''`, context), sql`0`, text, context)
  }
  const isSame = second.kind === 'constant' || second.kind === 'parameter'
  const mark = sql`coalesce(${print(second, context)}, '')`
  if (!isSame) {
    if (of.distinct) return undefined
    const text = print(argument, context)
    const lengths = grouped(
      of,
      sql`if(isnull(${text}), null, char_length(${mark}))`,
      sql`','`,
      context,
    )
    const all = grouped(of, sql`concat(${mark}, ${text})`, sql`''`, context)
    return whole(of, all, sql`substring_index(${lengths}, ',', 1)`, text, context)
  }
  const texts = grouped(of, sql`concat(${mark}, ${print(argument, context)})`, sql`''`, context)
  return whole(of, texts, sql`char_length(${mark})`, print(argument, context), context)
}

/**
 * The server cuts a text that does not fit a packet: one more character makes it NULL.
 *
 * @param lead the number of characters removed from the beginning.
 */
function whole(of: Aggregate, texts: Sql, lead: Sql, counted: Sql, context: PrintContext): Sql {
  const all = sql`substring(concat('x', ${texts}), ${lead} + 2)`
  return notTooLong(all, [sql`nullif(${countKept(of, counted, context)}, 0)`])
}

/** The number of values that are not NULL, in the rows that the filter keeps. */
function countKept({ filter }: Aggregate, value: Sql, context: PrintContext): Sql {
  return boundToLevel(
    filter === undefined
      ? sql`count(${value})`
      : sql`count(case when ${print(filter, context)} then ${value} end)`,
  )
}

function separatorOf(typeClass: TypeClass): Sql {
  // Rows are separated by a line break, as in PostgreSQL.
  return typeClass === 'record' || typeClass === 'array' ? sql`', \\n '` : sql`', '`
}

/** NULL where there was no row, as in PostgreSQL. */
function listed(
  expression: Aggregate | WindowCall,
  element: Sql,
  separator: Sql,
  context: PrintContext,
): Sql {
  const of = withoutWindow(expression)
  const list = sql`concat('[', ${grouped(of, element, separator, context)}, ']')`
  const rows = sql`nullif(${countKept(of, sql`1`, context)}, 0)`
  return sql`(${notTooLong(list, [rows])} collate ${binaryCollation(context)})`
}

function objectOf(
  expression: Aggregate | WindowCall,
  key: Expression,
  value: Expression | undefined,
  context: PrintContext,
): Sql | undefined {
  const of = withoutWindow(expression)
  if (value === undefined || of.distinct) return undefined
  const member = sql`concat(${quotedKey(key, context)}, ' : ', ${jsonFragment(value, context)})`
  const members = sql`concat('{ ', ${grouped(of, member, sql`', '`, context)}, ' }')`
  const rows = sql`nullif(${countKept(of, sql`1`, context)}, 0)`
  return sql`(${notTooLong(members, [rows])} collate ${binaryCollation(context)})`
}
