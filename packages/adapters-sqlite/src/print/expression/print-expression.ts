/** @module Prints every kind of expression, in the form of its type's class. */

import type { ValueSource } from '@engine/core/adapter'
import type { SqlType } from '@engine/core/catalog'
import {
  commonPrinters,
  type ExpressionPrinters,
  isComparison,
  joinConditions,
  keyword,
  parameter,
  printByKind,
  printRowComparison,
  type Sql,
  sameType,
  sql,
} from '@engine/core/print'
import {
  type Constant,
  type Expression,
  isVolatile,
  type NullIf,
  type QuantifiedArray,
} from '@engine/core/tree'
import { letValues, mostRepeated } from '../let-binding.ts'
import {
  call,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from '../print-context.ts'
import { readStored } from '../read-stored.ts'
import { valueAsColumn } from '../value-as-column.ts'
import { isBoundToLevel } from './bound-to-level.ts'
import { comparisonKeys, keyOf, printComparison, printInList } from './comparison.ts'
import { recordObject, rowObject } from './forms/json-form.ts'
import { printAggregate } from './print-aggregate.ts'
import { printArray, printSection, printSubscript } from './print-array.ts'
import { printCall } from './print-call.ts'
import { printCast } from './print-cast.ts'
import { printExtremum } from './print-extremum.ts'
import { printOperator } from './print-operator.ts'
import {
  printArraySubquery,
  printExists,
  printQuantifiedArray,
  printQuantifiedSubquery,
  printScalarSubquery,
} from './print-subquery.ts'
import { printWindow } from './print-window.ts'

const printers: ExpressionPrinters<PrintContext> = {
  ...commonPrinters<PrintContext>({ print, printBranch: print, unknown: nullSql }),
  column: (expression, context) => {
    const column = relationOf(expression.relation, context).column(expression.column)
    return column.stored === undefined
      ? column.sql
      : readStored(column.stored, column.sql, context.types)
  },
  constant: printConstant,
  parameter: ({ index, type }, context) => bound({ from: 'request', index, type }, type, context),
  caller: ({ slot, type }, context) => bound({ from: 'caller', slot }, type, context),
  requestTime: ({ kind, position: _position, ...moment }) => parameter({ from: kind, ...moment }),
  call: printCall,
  operator: printOperator,
  cast: printCast,
  logical: ({ operands, operator }, context) =>
    joinLogical(
      operands.map((each) => print(each, context)),
      operator,
    ),
  nullTest: ({ operand, negated }, context) => printNullTest(operand, negated, context),
  distinctTest: (expression, context) => {
    const word = expression.negated ? keyword('is') : keyword('is not')
    const [left, right] = sameType(expression.left, expression.right, context)
    return sql`(${keyOf(left, context)} ${word} ${keyOf(right, context)})`
  },
  nullIf: printNullIf,
  extremum: printExtremum,
  inList: ({ operand, items, negated }, context) => printInList(operand, items, negated, context),
  quantifiedArray: printQuantified,
  array: printArray,
  subscript: printSubscript,
  arraySection: printSection,
  row: recordObject,
  field: ({ position }) => refuse('a field of a row', position),
  rowComparison: (expression, context) => printRowComparison(expression, context, comparisonKeys),
  subquery: ({ query }, context) => printScalarSubquery(query, context),
  arraySubquery: printArraySubquery,
  exists: ({ query }, context) => printExists(query, context),
  quantifiedSubquery: printQuantifiedSubquery,
  aggregate: printAggregate,
  window: printWindow,
  collate: ({ operand }, context) => sql`(${print(operand, context)} collate binary)`,
  wholeRow: rowObject,
}

export const printExpression: (expression: Expression, context: PrintContext) => Sql =
  printByKind(printers)

function printConstant(expression: Constant, context: PrintContext): Sql {
  const { value, type } = expression
  if (value === null) return nullSql
  const typeClass = classOfType(type, context)
  if (typeClass === 'bool') return value === 'true' ? sql`true` : sql`false`
  if (typeClass === 'other') {
    return refuse(`the type ${context.types.formatType(type.oid)}`, expression.position)
  }
  return bound({ from: 'constant', value, type }, type, context)
}

/** A float4 is bound as the double of its digits; the text of dates in some years would not sort. */
function bound(source: ValueSource, type: SqlType, context: PrintContext): Sql {
  const value = parameter(source)
  switch (classOfType(type, context)) {
    case 'float4':
      return call('float4', value)
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return isSortable(source) ? value : call('moment_value', value)
    default:
      return value
  }
}

function isSortable(source: ValueSource): boolean {
  return source.from === 'constant' && !/^\d{5}| BC$/.test(String(source.value))
}

const mostOperands = 50

/** Split in halves when it is long, so that the tree stays flat: SQLite refuses expressions deeper than 1000. */
function joinLogical(parts: readonly Sql[], operator: 'and' | 'or'): Sql {
  if (parts.length > mostOperands) {
    const half = Math.ceil(parts.length / 2)
    const halves = [parts.slice(0, half), parts.slice(half)]
    return joinLogical(
      halves.map((each) => joinLogical(each, operator)),
      operator,
    )
  }
  return joinConditions(parts, operator)
}

function printNullIf({ left, right }: NullIf, context: PrintContext): Sql {
  const value = print(left, context)
  const isRepeatable = value.size <= mostRepeated && !isVolatile(left)
  return letValues(
    [value],
    context,
    (name) => {
      const tested = isRepeatable ? left : valueAsColumn(name, left.type, context)
      return sql`case when ${printComparison('=', tested, right, context)} then null else ${name} end`
    },
    !isRepeatable,
  )
}

function printNullTest(operand: Expression, isNegated: boolean, context: PrintContext): Sql {
  const word = isNegated ? keyword('is not null') : keyword('is null')
  if (classOfType(operand.type, context) === 'record') {
    return refuse('IS NULL of a whole row', operand.position)
  }
  const value =
    operand.kind === 'column'
      ? relationOf(operand.relation, context).column(operand.column).sql
      : print(operand, context)
  return sql`(${value} ${word})`
}

/** `= any(array[...])` is an IN list; json_each unfolds an array that is a value. */
function printQuantified(expression: QuantifiedArray, context: PrintContext): Sql {
  const { operator, quantifier, operand, array } = expression
  const name = operator.name
  const isListed =
    array.kind === 'array' && array.elements.length > 0 && isComparison(name)
      ? (name === '=' && quantifier === 'any') || (name === '<>' && quantifier === 'all')
      : false
  if (isListed && array.kind === 'array') {
    return printInList(operand, array.elements, name === '<>', context)
  }
  if (isBoundToLevel(expression)) return printComparisons(expression, context)
  return printQuantifiedArray(expression, context)
}

/** One comparison for each element: inside a subquery, an aggregate of this query would belong to that subquery. */
function printComparisons(expression: QuantifiedArray, context: PrintContext): Sql {
  const { operator, quantifier, operand, array, type } = expression
  if (array.kind !== 'array' || array.elements.length === 0) {
    return refuse('ANY or ALL of an aggregate over this array', expression.position)
  }
  const comparisons = array.elements.map((right) =>
    print({ kind: 'operator', operator, left: operand, right, type }, context),
  )
  return joinLogical(comparisons, quantifier === 'any' ? 'or' : 'and')
}
