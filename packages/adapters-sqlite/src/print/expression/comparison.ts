/** @module Comparing, sorting, grouping: the SQL with which SQLite gets PostgreSQL's result. */

import { oids } from '@engine/core/catalog'
import {
  type ComparisonKeys,
  commaList,
  integer,
  keyword,
  operatorSymbol,
  type Sql,
  sameType,
  sql,
} from '@engine/core/print'
import { type ComparisonName, type Expression, isRowIndependent } from '@engine/core/tree'
import {
  call,
  classOfType,
  type PrintContext,
  type PrintedColumn,
  print,
  refuse,
  relationOf,
  type ValueProperties,
} from '../print-context.ts'
import { isCanonical, readStored, storedDecimal, storedUnits } from '../read-stored.ts'
import { comparesNatively, lengthOfType, type TypeClass } from '../type-class.ts'
import { propertiesOf } from '../value-properties.ts'

/** `left <name> right`, both of types that PostgreSQL compares with each other. */
export function printComparison(
  name: ComparisonName,
  left: Expression,
  right: Expression,
  context: PrintContext,
): Sql {
  const [one, other] = sameType(left, right, context)
  const typeClass = classOfType(one.type, context)
  const symbol = operatorSymbol(name)
  if (typeClass === 'numeric') return compareDecimals(name, one, other, context)
  if (typeClass === 'array' && name !== '=' && name !== '<>') {
    refuse('an ordering of arrays', left.position)
  }
  const exact = sql`(${keyOf(one, context)} ${symbol} ${keyOf(other, context)})`
  const filter = indexFilter(name, one, other, context)
  return filter === undefined ? exact : sql`(${filter} and ${exact})`
}

/** For the comparison of rows. */
export const comparisonKeys: ComparisonKeys<PrintContext> = {
  requireOrder: ({ type, position }, context) => {
    if (classOfType(type, context) === 'array') refuse('an ordering of this type', position)
  },
  keyOf,
}

/**
 * A key that SQLite compares as PostgreSQL compares the value: equal keys for equal values, and in the same order (arrays:
 * equality only).
 */
export function keyOf(expression: Expression, context: PrintContext): Sql {
  const typeClass = classOfType(expression.type, context)
  if (comparesNatively(typeClass)) return print(expression, context)
  switch (typeClass) {
    case 'numeric':
      return call('dec_key', print(expression, context))
    case 'bpchar':
      return sql`rtrim(${storedOr(expression, context)}, ' ')`
    case 'interval':
      return call('interval_key', print(expression, context))
    case 'jsonb':
      return call('jsonb_key', print(expression, context))
    case 'array':
      return print(expression, context)
    default:
      return refuse('a comparison of this type', expression.position)
  }
}

/** The key of a value that is already printed, in the form of expressions or as it is stored. */
export function keyOfValue(
  value: Sql,
  typeClass: TypeClass,
  properties: ValueProperties,
  context: PrintContext,
): Sql {
  const { stored } = properties
  if (stored !== undefined) {
    const decimal = storedDecimal(stored)
    if (decimal !== undefined) return storedUnits(value, decimal.scale)
  }
  const read = stored === undefined ? value : readStored(stored, value, context.types)
  switch (typeClass) {
    case 'numeric':
      return properties.scale === undefined ? call('dec_key', read) : read
    case 'bpchar':
      return sql`rtrim(${value}, ' ')`
    case 'interval':
      return call('interval_key', read)
    case 'jsonb':
      return call('jsonb_key', read)
    case 'json':
    case 'record':
    case 'other':
      return refuse('grouping by this type', undefined)
    default:
      return read
  }
}

/** For GROUP BY, DISTINCT and PARTITION BY: only equality matters. */
export function groupKeyOf(expression: Expression, context: PrintContext): Sql {
  const properties = propertiesOf(expression, context)
  const value =
    properties.stored === undefined ? print(expression, context) : storedOr(expression, context)
  return keyOfValue(value, classOfType(expression.type, context), properties, context)
}

/** For ORDER BY, without direction. An index may give the order of a bare column. */
export function sortKeyOf(expression: Expression, context: PrintContext): Sql {
  const typeClass = classOfType(expression.type, context)
  if (typeClass === 'array') refuse('sorting by arrays', expression.position)
  const { stored } = propertiesOf(expression, context)
  if (stored !== undefined && storedDecimal(stored) !== undefined)
    return storedOr(expression, context)
  return keyOf(expression, context)
}

/** The SQL of a column as it is stored; of any other expression its value. */
export function storedOr(expression: Expression, context: PrintContext): Sql {
  if (expression.kind !== 'column') return print(expression, context)
  return relationOf(expression.relation, context).column(expression.column).sql
}

function compareDecimals(
  name: ComparisonName,
  left: Expression,
  right: Expression,
  context: PrintContext,
): Sql {
  const [leftScale, rightScale] = [decimalScaleOf(left, context), decimalScaleOf(right, context)]
  if (leftScale !== undefined && isRowIndependent(right)) {
    return compareWithEdges(name, storedOr(left, context), print(right, context), leftScale)
  }
  if (rightScale !== undefined && isRowIndependent(left)) {
    return compareWithEdges(
      mirrored[name],
      storedOr(right, context),
      print(left, context),
      rightScale,
    )
  }
  const symbol = operatorSymbol(name)
  if (leftScale !== undefined && rightScale !== undefined) {
    const scale = Math.max(leftScale, rightScale)
    const units = (each: Expression) => storedUnits(storedOr(each, context), scale)
    return sql`(${units(left)} ${symbol} ${units(right)})`
  }
  const [leftProperties, rightProperties] = [
    propertiesOf(left, context),
    propertiesOf(right, context),
  ]
  const isText =
    leftProperties.scale !== undefined && leftProperties.scale === rightProperties.scale
  if (isText && (name === '=' || name === '<>')) {
    return sql`(${print(left, context)} ${symbol} ${print(right, context)})`
  }
  return sql`(${call('dec_cmp', print(left, context), print(right, context))} ${symbol} 0)`
}

/** The scale of a column whose stored numbers can be compared directly. */
export function decimalScaleOf(expression: Expression, context: PrintContext): number | undefined {
  const { stored } = propertiesOf(expression, context)
  return stored === undefined ? undefined : storedDecimal(stored)?.scale
}

/** Bounds of half a unit around the value, so that neither the noise of doubles nor a longer value gives a wrong result. */
function compareWithEdges(name: ComparisonName, stored: Sql, value: Sql, scale: number): Sql {
  const places = integer(scale)
  switch (name) {
    case '<':
      return sql`(${stored} < ${call('dec_ceiling_edge', value, places)})`
    case '>=':
      return sql`(${stored} >= ${call('dec_ceiling_edge', value, places)})`
    case '>':
      return sql`(${stored} > ${call('dec_floor_edge', value, places)})`
    case '<=':
      return sql`(${stored} <= ${call('dec_floor_edge', value, places)})`
    case '=':
      return isBetweenEdges(stored, value, places)
    case '<>':
      return sql`(not ${isBetweenEdges(stored, value, places)})`
  }
}

function isBetweenEdges(stored: Sql, value: Sql, places: Sql): Sql {
  const [low, high] = [call('dec_low_edge', value, places), call('dec_high_edge', value, places)]
  return sql`(${stored} > ${low} and ${stored} < ${high})`
}

export const mirrored: Readonly<Record<ComparisonName, ComparisonName>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/**
 * A weaker condition on the stored text that can use an index, where the exact one needs a function: for dates with several
 * spellings.
 */
function indexFilter(
  name: ComparisonName,
  left: Expression,
  right: Expression,
  context: PrintContext,
): Sql | undefined {
  const column = looseColumn(left, context)
  if (column === undefined) {
    return looseColumn(right, context) === undefined
      ? undefined
      : indexFilter(mirrored[name], right, left, context)
  }
  if (!isRowIndependent(right) || name === '<>') return undefined
  const value = print(right, context)
  if (classOfType(left.type, context) === 'bpchar') return paddedRange(name, column, value)
  const isAbove = sql`${column.sql} >= ${call('day_before', value)}`
  const isBelow = sql`${column.sql} < ${call('day_after', value)}`
  if (name === '=') return sql`(${isAbove} and ${isBelow})`
  return name === '<' || name === '<=' ? isBelow : isAbove
}

/** Texts that differ in trailing blanks are between the one without and the one with most. */
function paddedRange(
  name: ComparisonName,
  { sql: column, stored }: PrintedColumn,
  value: Sql,
): Sql | undefined {
  const length = stored === undefined ? undefined : lengthOfType(stored.type)
  if (name !== '=' || length === undefined || stored?.collation !== undefined) return undefined
  const text = sql`rtrim(${value}, ' ')`
  return sql`(${column} >= ${text} and ${column} <= ${call('bpchar_pad', text, integer(length))})`
}

const looseClasses: ReadonlySet<TypeClass> = new Set(['date', 'timestamp', 'timestamptz'])

function looseColumn(expression: Expression, context: PrintContext): PrintedColumn | undefined {
  if (expression.kind !== 'column') return undefined
  const typeClass = classOfType(expression.type, context)
  const column = relationOf(expression.relation, context).column(expression.column)
  if (!column.isBare || column.stored === undefined) return undefined
  if (typeClass === 'bpchar') return column
  const isLoose = looseClasses.has(typeClass) && !isCanonical(column.stored, context.types)
  return isLoose ? column : undefined
}

/** `operand in (items)` with single values as items. */
export function printInList(
  operand: Expression,
  items: readonly Expression[],
  isNegated: boolean,
  context: PrintContext,
): Sql {
  const word = isNegated ? keyword('not in') : keyword('in')
  const scale = operand.type.oid === oids.numeric ? decimalScaleOf(operand, context) : undefined
  if (scale !== undefined) {
    const units = items.map((each) => call('dec_units', print(each, context), integer(scale)))
    return inList(storedUnits(storedOr(operand, context), scale), word, units)
  }
  const keys = items.map((item) => keyOf(sameType(operand, item, context)[1], context))
  const first = items[0]
  const key = keyOf(first === undefined ? operand : sameType(operand, first, context)[0], context)
  return inList(key, word, keys)
}

function inList(operand: Sql, word: Sql, items: readonly Sql[]): Sql {
  return sql`(${operand} ${word} (${commaList(items)}))`
}
