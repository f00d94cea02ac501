/** @module Every kind of expression, in the form of its type's class. */
import {
  type Case,
  type ComparisonName,
  type Constant,
  type Expression,
  GatewayError,
  isVolatile,
  joinSql,
  keyword,
  markVolatile,
  type NullIf,
  parameter,
  type QuantifiedArray,
  type RowComparison,
  type Sql,
  type SqlType,
  sql,
  unreachable,
  type ValueSource,
} from '@engine/core/adapter'
import { isBoundToLevel } from './bound-to-level.ts'
import { keyOf, printComparison, printInList, sameType } from './comparison.ts'
import { recordObject, rowObject } from './json-form.ts'
import { mostRepeated, once } from './once.ts'
import { printAggregate } from './print-aggregate.ts'
import { printArray, printSection, printSubscript } from './print-array.ts'
import { printCall } from './print-call.ts'
import { printCast } from './print-cast.ts'
import {
  call,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from './print-context.ts'
import { printExtremum } from './print-extremum.ts'
import { isComparison, printOperator } from './print-operator.ts'
import {
  printArraySubquery,
  printExists,
  printQuantifiedArray,
  printQuantifiedSubquery,
  printScalarSubquery,
} from './print-subquery.ts'
import { printWindow } from './print-window.ts'
import { readStored } from './read-stored.ts'
import { valueAsColumn } from './value-as-column.ts'

export function printExpression(expression: Expression, context: PrintContext): Sql {
  switch (expression.kind) {
    case 'column': {
      const column = relationOf(expression.relation, context).column(expression.column)
      return column.stored === undefined
        ? column.sql
        : readStored(column.stored, column.sql, context.types)
    }
    case 'constant':
      return printConstant(expression, context)
    case 'parameter':
      return bound(
        { from: 'request', index: expression.index, type: expression.type },
        expression.type,
        context,
      )
    case 'caller':
      return bound({ from: 'caller', slot: expression.slot }, expression.type, context)
    case 'requestTime':
      return parameter({
        from: 'requestTime',
        type: expression.type,
        offsetMs: expression.offsetMs,
        calendar: expression.calendar,
      })
    case 'oldCondition': {
      const condition = context.oldConditions[expression.index]
      if (condition === undefined) throw new GatewayError('internal', 'no such old condition')
      return condition
    }
    case 'call':
      return markVolatile(expression, printCall(expression, context))
    case 'operator':
      return markVolatile(expression, printOperator(expression, context))
    case 'cast':
      return printCast(expression, context)
    case 'logical':
      return printLogical(expression.operands, expression.operator, context)
    case 'not':
      return sql`(not ${print(expression.operand, context)})`
    case 'nullTest':
      return printNullTest(expression.operand, expression.negated, context)
    case 'booleanTest': {
      const word = expression.negated ? keyword('is not') : keyword('is')
      const value = { true: sql`true`, false: sql`false`, unknown: nullSql }[expression.test]
      return sql`(${print(expression.operand, context)} ${word} ${value})`
    }
    case 'distinctTest': {
      const word = expression.negated ? keyword('is') : keyword('is not')
      const [left, right] = sameType(expression.left, expression.right, context)
      return sql`(${keyOf(left, context)} ${word} ${keyOf(right, context)})`
    }
    case 'case':
      return printCase(expression, context)
    case 'coalesce': {
      const args = expression.args.map((each) => print(each, context))
      return args.length === 1 ? (args[0] ?? nullSql) : call('coalesce', ...args)
    }
    case 'nullIf':
      return printNullIf(expression, context)
    case 'extremum':
      return printExtremum(expression, context)
    case 'inList':
      return printInList(expression.operand, expression.items, expression.negated, context)
    case 'quantifiedArray':
      return printQuantified(expression, context)
    case 'array':
      return printArray(expression, context)
    case 'subscript':
      return printSubscript(expression, context)
    case 'arraySection':
      return printSection(expression, context)
    case 'row':
      return recordObject(expression, context)
    case 'rowComparison':
      return printRowComparison(expression, context)
    case 'subquery':
      return printScalarSubquery(expression.query, context)
    case 'arraySubquery':
      return printArraySubquery(expression, context)
    case 'exists':
      return printExists(expression.query, context)
    case 'quantifiedSubquery':
      return printQuantifiedSubquery(expression, context)
    case 'aggregate':
      return printAggregate(expression, context)
    case 'window':
      return printWindow(expression, context)
    case 'collate':
      return sql`(${print(expression.operand, context)} collate binary)`
    case 'wholeRow':
      return rowObject(expression, context)
    case 'output':
    case 'grouping':
      throw new GatewayError('internal', `a ${expression.kind} expression reached the printer`)
    default:
      return unreachable(expression)
  }
}

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

/** A float4 is bound as the double that its digits spell; the text of some years would not sort. */
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

/** Halved when it is long, so that the tree stays flat: SQLite takes no expression deeper than 1000. */
function printLogical(
  operands: readonly Expression[],
  operator: 'and' | 'or',
  context: PrintContext,
): Sql {
  const parts = operands.map((each) => print(each, context))
  return joinLogical(parts, operator)
}

const mostOperands = 50

function joinLogical(parts: readonly Sql[], operator: 'and' | 'or'): Sql {
  if (parts.length > mostOperands) {
    const half = Math.ceil(parts.length / 2)
    const halves = [parts.slice(0, half), parts.slice(half)]
    return joinLogical(
      halves.map((each) => joinLogical(each, operator)),
      operator,
    )
  }
  const joined = operator === 'and' ? joinSql(parts, ' and ') : joinSql(parts, ' or ')
  return sql`(${joined})`
}

function printNullIf({ left, right }: NullIf, context: PrintContext): Sql {
  const value = print(left, context)
  const isRepeatable = value.size <= mostRepeated && !isVolatile(left)
  return once(
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

function printCase(expression: Case, context: PrintContext): Sql {
  const whens = expression.whens.map(
    ({ condition, result }) =>
      sql`when ${print(condition, context)} then ${print(result, context)}`,
  )
  const otherwise =
    expression.otherwise === undefined ? sql`` : sql`else ${print(expression.otherwise, context)} `
  return sql`case ${joinSql(whens, ' ')} ${otherwise}end`
}

/** `= any(array[...])` is an IN list; a list that is a value is unfolded by json_each. */
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

/** One comparison for each element: an aggregate of this query would be another one's inside a subquery. */
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

function printRowComparison(expression: RowComparison, context: PrintContext): Sql {
  const { comparison, left, right } = expression
  const pairs = left.map((one, index) => {
    const other = right[index]
    if (other === undefined) throw new GatewayError('internal', 'rows of different lengths')
    return sameType(one, other, context)
  })
  for (const [one] of pairs) {
    const typeClass = classOfType(one.type, context)
    const isOrdering = comparison !== '=' && comparison !== '<>'
    if (isOrdering && typeClass === 'array') {
      refuse('an ordering of this type', one.position)
    }
  }
  const side = (which: 0 | 1) =>
    joinSql(
      pairs.map((pair) => keyOf(pair[which], context)),
      ', ',
    )
  const symbol = {
    '=': sql`=`,
    '<>': sql`<>`,
    '<': sql`<`,
    '<=': sql`<=`,
    '>': sql`>`,
    '>=': sql`>=`,
  }
  return sql`((${side(0)}) ${symbol[comparison satisfies ComparisonName]} (${side(1)}))`
}
