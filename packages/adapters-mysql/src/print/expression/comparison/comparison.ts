/** @module Comparing, sorting, grouping: the SQL with which the server gets PostgreSQL's result. */
import {
  type ComparisonKeys,
  commaList,
  joinSql,
  keyword,
  operatorSymbol,
  type Sql,
  sameType,
  sql,
} from '@engine/core/print'
import type { ComparisonName, Expression } from '@engine/core/tree'
import {
  binaryCollation,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from '../../print-context.ts'
import { nativeOf, readText } from '../../read-stored.ts'
import { classOf, comparesNatively, isFloat, type TypeClass } from '../../type-class.ts'
import { canBind } from '../binding/can-bind.ts'
import { isLong } from '../binding/let-binding.ts'
import { letColumns } from '../binding/let-columns.ts'
import { documentOf } from '../json/document.ts'
import { normalJson, spacedJson } from '../json/json-text.ts'
import { intervalKey } from '../time/interval.ts'
import { looseColumn } from './loose-column.ts'

/** `left <name> right`, both of types that PostgreSQL compares with each other. */
export function printComparison(
  name: ComparisonName,
  left: Expression,
  right: Expression,
  context: PrintContext,
): Sql {
  const [one, other] = sameType(left, right, context)
  const typeClass = classOfType(one.type, context)
  const isEquality = name === '=' || name === '<>'
  if (!isEquality && hasNoOrder(typeClass)) refuse('an ordering of this type', left.position)
  const symbol = operatorSymbol(name)
  const bound = isMoment(typeClass) ? infinityOf(other) : undefined
  if (bound !== undefined) return besideInfinity(name, one, bound, context)
  const exact = sql`(${keyOf(one, context)} ${symbol} ${keyOf(other, context)})`
  const filter = name === '=' ? indexFilter(one, other, context) : undefined
  return filter === undefined ? exact : sql`(${filter} and ${exact})`
}

function isMoment(typeClass: TypeClass): boolean {
  return typeClass === 'date' || typeClass === 'timestamp' || typeClass === 'timestamptz'
}

/** Which infinity a constant is. */
function infinityOf(expression: Expression): 'first' | 'last' | undefined {
  const value = expression.kind === 'constant' ? expression.value : undefined
  if (value === 'infinity') return 'last'
  return value === '-infinity' ? 'first' : undefined
}

/** The server has no infinite timestamps: every other timestamp lies between them. */
function besideInfinity(
  name: ComparisonName,
  operand: Expression,
  bound: 'first' | 'last',
  context: PrintContext,
): Sql {
  const isBefore = name === '<' || name === '<='
  const isAfter = name === '>' || name === '>='
  const isTrue = name === '<>' || (bound === 'last' ? isBefore : isAfter)
  const answer = isTrue ? sql`true` : sql`false`
  return sql`if(isnull(${keyOf(operand, context)}), null, ${answer})`
}

function hasNoOrder(typeClass: TypeClass): boolean {
  return typeClass === 'array' || typeClass === 'jsonb'
}

/** For the comparison of rows. */
export const comparisonKeys: ComparisonKeys<PrintContext> = {
  requireOrder: ({ type, position }, context) => {
    if (hasNoOrder(classOfType(type, context))) refuse('an ordering of this type', position)
  },
  keyOf,
}

/**
 * A key that the server compares as PostgreSQL compares the value: equal keys for equal values, and in the same order (arrays and
 * jsonb: equality only).
 */
export function keyOf(expression: Expression, context: PrintContext): Sql {
  const typeClass = classOfType(expression.type, context)
  const stored = comparableColumn(expression, typeClass, context)
  if (stored !== undefined) return stored
  if (comparesNatively(typeClass)) return print(expression, context)
  switch (typeClass) {
    case 'bpchar':
      return sql`trim(trailing ' ' from ${print(expression, context)})`
    case 'interval':
      return intervalKey(expression, context)
    case 'jsonb':
      return normalJson(documentOf(expression, context), context, canBind(expression))
    case 'array':
      return arrayKey(expression, context)
    default:
      return refuse('a comparison of this type', expression.position)
  }
}

/** A stored column that can be compared directly, though expressions need another form of it. */
function comparableColumn(
  expression: Expression,
  typeClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  if (expression.kind !== 'column') return undefined
  const { stored, sql: column } = relationOf(expression.relation, context).column(expression.column)
  if (stored === undefined) return undefined
  switch (typeClass) {
    case 'int2':
    case 'int4':
    case 'int8':
      return column
    case 'bpchar':
      // The server has removed the blanks.
      return nativeOf(stored).dataType === 'char' ? readText(stored, column, context) : undefined
    default:
      return undefined
  }
}

/** Elements are compared by their spelling, which differs for equal numbers of other types. */
function arrayKey(expression: Expression, context: PrintContext): Sql {
  const element = context.types.elementTypeOid(expression.type.oid)
  const typeClass = element === undefined ? 'other' : classOf(context.types, element)
  if (!comparesNatively(typeClass) || typeClass === 'numeric' || isFloat(typeClass)) {
    return refuse('a comparison of arrays of this type', expression.position)
  }
  return sql`(${spacedJson(print(expression, context))} collate ${binaryCollation(context)})`
}

/** For GROUP BY, DISTINCT and PARTITION BY. */
export function groupKeyOf(expression: Expression, context: PrintContext): Sql {
  return keyOf(expression, context)
}

/** For ORDER BY, without direction. An index may give the order of a bare column. */
export function sortKeyOf(expression: Expression, context: PrintContext): Sql {
  const typeClass = classOfType(expression.type, context)
  if (hasNoOrder(typeClass)) refuse('sorting by this type', expression.position)
  return keyOf(expression, context)
}

/** The SQL of a column as it is stored; of any other expression its value. */
export function storedOr(expression: Expression, context: PrintContext): Sql {
  if (expression.kind !== 'column') return print(expression, context)
  return relationOf(expression.relation, context).column(expression.column).sql
}

/**
 * A weaker condition that can use an index of the column: equality in the column's own collation, which distinguishes less than
 * the exact comparison beside it.
 */
function indexFilter(left: Expression, right: Expression, context: PrintContext): Sql | undefined {
  return looselyEqual(left, right, context) ?? looselyEqual(right, left, context)
}

/** The most pieces of a value that is written twice so that an index can be used. */
const mostFiltered = 200

function looselyEqual(of: Expression, value: Expression, context: PrintContext): Sql | undefined {
  const key = keyOf(value, context)
  const column = isLong(key, mostFiltered) ? undefined : looseColumn(of, context)
  const compared = column?.compared(key, value)
  return column && compared && sql`${column.sql} = ${compared}`
}

/** `operand in (items)` with single values as items. */
export function printInList(
  operand: Expression,
  items: readonly Expression[],
  isNegated: boolean,
  context: PrintContext,
): Sql {
  const first = items[0]
  const typeClass = classOfType(operand.type, context)
  const isUniform = items.every((item) => classOfType(item.type, context) === typeClass)
  if (!isUniform || first === undefined) return inSeveralTypes(operand, items, isNegated, context)
  const word = isNegated ? keyword('not in') : keyword('in')
  const keys = items.map((item) => keyOf(item, context))
  const exact = sql`(${keyOf(operand, context)} ${word} (${commaList(keys)}))`
  const isFiltered = !isNegated && !keys.some((each) => isLong(each, mostFiltered))
  const column = isFiltered ? looseColumn(operand, context) : undefined
  const compared = items.map((item, index) => column?.compared(keys[index] ?? nullSql, item))
  return column !== undefined && compared.every((each) => each !== undefined)
    ? sql`(${column.sql} in (${commaList(compared)}) and ${exact})`
    : exact
}

function inSeveralTypes(
  operand: Expression,
  items: readonly Expression[],
  isNegated: boolean,
  context: PrintContext,
): Sql {
  const name = isNegated ? '<>' : '='
  return letColumns([operand], context, (value = operand) => {
    const tests = items.map((item) => printComparison(name, value, item, context))
    return isNegated ? sql`(${joinSql(tests, ' and ')})` : sql`(${joinSql(tests, ' or ')})`
  })
}

/** `left IS NOT DISTINCT FROM right` */
export function printSameness(left: Expression, right: Expression, context: PrintContext): Sql {
  const [one, other] = sameType(left, right, context)
  return sql`(${keyOf(one, context)} <=> ${keyOf(other, context)})`
}
