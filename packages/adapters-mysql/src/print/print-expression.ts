/** @module Every kind of expression, in the working form of its type's class: see `type-class.ts`. */
import {
  type Case,
  type Constant,
  type Expression,
  type Extremum,
  GatewayError,
  joinSql,
  keyword,
  markVolatile,
  type NullIf,
  operatorSymbol,
  parameter,
  type RowComparison,
  type Sql,
  type SqlType,
  sql,
  unreachable,
  type ValueSource,
} from '@engine/core/adapter'
import {
  keyOf,
  printComparison,
  printInList,
  printSameness,
  sameType,
  storedOr,
} from './comparison.ts'
import { greatestOf } from './greatest.ts'
import { recordObject, rowObject } from './json-form.ts'
import { namedValue, onceOf } from './named-kind.ts'
import { onceAs } from './once-as.ts'
import { printAggregate } from './print-aggregate.ts'
import { printArray, printSubscript } from './print-array.ts'
import { printCall } from './print-call.ts'
import { printCast } from './print-cast.ts'
import {
  binaryCollation,
  call,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from './print-context.ts'
import { decimalOf } from './print-decimal.ts'
import { printOperator } from './print-operator.ts'
import { printSubquery } from './print-subquery.ts'
import { printWindow } from './print-window.ts'
import { printQuantifiedArray } from './quantified-array.ts'
import { readStored } from './read-stored.ts'
import { comparesNatively } from './type-class.ts'
import { isUnnameable } from './unnameable.ts'

export function printExpression(expression: Expression, context: PrintContext): Sql {
  if (isNumeric(expression, context)) return decimalOf(expression, context).value()
  switch (expression.kind) {
    case 'column': {
      const column = relationOf(expression.relation, context).column(expression.column)
      return column.stored === undefined
        ? column.sql
        : readStored(column.stored, column.sql, context)
    }
    case 'constant':
      return printConstant(expression, context)
    case 'parameter':
      return bound(
        { from: 'request', index: expression.index, type: expression.type },
        expression.type,
        context,
        expression.position,
      )
    case 'caller':
      return bound(
        { from: 'caller', slot: expression.slot },
        expression.type,
        context,
        expression.position,
      )
    case 'requestTime': {
      const { kind, position, ...moment } = expression
      return bound({ from: kind, ...moment }, expression.type, context, position)
    }
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
    case 'logical': {
      const parts = expression.operands.map((each) => print(each, context))
      const joined =
        expression.operator === 'and' ? joinSql(parts, ' and ') : joinSql(parts, ' or ')
      return sql`(${joined})`
    }
    case 'not':
      return sql`(not ${print(expression.operand, context)})`
    case 'nullTest':
      return printNullTest(expression.operand, expression.negated, context)
    case 'booleanTest': {
      const word = expression.negated ? keyword('is not') : keyword('is')
      const value = { true: sql`true`, false: sql`false`, unknown: sql`unknown` }[expression.test]
      return sql`(${print(expression.operand, context)} ${word} ${value})`
    }
    case 'distinctTest': {
      const same = printSameness(expression.left, expression.right, context)
      return expression.negated ? same : sql`(not ${same})`
    }
    case 'case':
      return printCase(expression, context)
    case 'coalesce': {
      const args = expression.args.map((each) => printBranch(each, context))
      return args.length === 1 ? (args[0] ?? nullSql) : call('coalesce', ...args)
    }
    case 'nullIf':
      return printNullIf(expression, context)
    case 'extremum':
      return printExtremum(expression, context)
    case 'inList':
      return printInList(expression.operand, expression.items, expression.negated, context)
    case 'quantifiedArray':
      return printQuantifiedArray(expression, context)
    case 'array':
      return printArray(expression, context)
    case 'subscript':
      return printSubscript(expression, context)
    case 'arraySection':
      return refuse('a slice of an array', expression.position)
    case 'row':
      return recordObject(expression, context)
    case 'rowComparison':
      return printRowComparison(expression, context)
    case 'subquery':
    case 'exists':
    case 'quantifiedSubquery':
      return printSubquery(expression, context)
    case 'arraySubquery':
      return refuse('an array of a query', expression.position)
    case 'aggregate':
      return printAggregate(expression, context)
    case 'window':
      return printWindow(expression, context)
    case 'collate':
      return sql`(${print(expression.operand, context)} collate ${binaryCollation(context)})`
    case 'wholeRow':
      return rowObject(expression, context)
    case 'output':
    case 'grouping':
      throw new GatewayError('internal', `a ${expression.kind} expression reached the printer`)
    default:
      return unreachable(expression)
  }
}

function isNumeric(expression: Expression, context: PrintContext): boolean {
  return (
    expression.kind !== 'output' &&
    expression.kind !== 'oldCondition' &&
    classOfType(expression.type, context) === 'numeric'
  )
}

function printConstant(expression: Constant, context: PrintContext): Sql {
  const { value, type, position } = expression
  if (value === null) return nullSql
  if (classOfType(type, context) === 'bool') return value === 'true' ? sql`true` : sql`false`
  return bound({ from: 'constant', value, type }, type, context, position)
}

/** Sent as text: the server is told what it is. */
function bound(
  source: ValueSource,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  const value = parameter(source)
  switch (classOfType(type, context)) {
    case 'bool':
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`cast(${value} as signed)`
    case 'float4':
      return sql`cast(${value} as float)`
    case 'float8':
      return sql`cast(${value} as double)`
    case 'date':
      return sql`cast(${value} as date)`
    case 'time':
      return sql`cast(${value} as time(6))`
    case 'timestamp':
    case 'timestamptz':
      return sql`cast(${value} as datetime(6))`
    case 'interval':
      return refuse('an interval as a value', position)
    case 'record':
    case 'other':
      return refuse(`the type ${context.types.formatType(type.oid)}`, position)
    default:
      return value
  }
}

function printNullTest(operand: Expression, isNegated: boolean, context: PrintContext): Sql {
  const typeClass = classOfType(operand.type, context)
  if (typeClass === 'record') return refuse('IS NULL of a whole row', operand.position)
  const value = storedOr(operand, context)
  // The servers take the date 0000-00-00 of a column that is NOT NULL for NULL, behind IS NULL and NOT (… IS NOT NULL) alone.
  if (typeClass === 'date' || typeClass === 'timestamp' || typeClass === 'timestamptz') {
    return isNegated ? sql`(not (${value} <=> null))` : sql`(${value} <=> null)`
  }
  return isNegated ? sql`(${value} is not null)` : sql`(${value} is null)`
}

function printCase(expression: Case, context: PrintContext): Sql {
  const whens = expression.whens.map(
    ({ condition, result }) =>
      sql`when ${print(condition, context)} then ${printBranch(result, context)}`,
  )
  const otherwise =
    expression.otherwise === undefined
      ? sql``
      : sql`else ${printBranch(expression.otherwise, context)} `
  return sql`case ${joinSql(whens, ' ')} ${otherwise}end`
}

/** Documents of different origin have different collations, which no CASE takes. */
function printBranch(expression: Expression, context: PrintContext): Sql {
  const value = print(expression, context)
  const typeClass = classOfType(expression.type, context)
  const isDocument = typeClass === 'json' || typeClass === 'jsonb' || typeClass === 'array'
  const isNull = expression.kind === 'constant' && expression.value === null
  return isDocument && !isNull ? sql`(${value} collate ${binaryCollation(context)})` : value
}

function printNullIf(expression: NullIf, context: PrintContext): Sql {
  const { left, right, type } = expression
  const isSame = classOfType(left.type, context) === classOfType(right.type, context)
  if (isSame && comparesNatively(classOfType(type, context))) {
    // The server evaluates the first one twice.
    return onceOf([left], context, (value = nullSql) =>
      call('nullif', value, print(right, context)),
    )
  }
  return onceAs([left], context, (operand = left) => {
    const isEqual = printComparison('=', operand, right, context)
    return sql`case when ${isEqual} then null else ${print(operand, context)} end`
  })
}

function printExtremum(expression: Extremum, context: PrintContext): Sql {
  const { args, position } = expression
  const isGreatest = expression.function === 'greatest'
  if (!comparesNatively(classOfType(expression.type, context))) {
    return refuse(`${expression.function} of this type`, position)
  }
  const values = args.map((each) => namedValue(each, context))
  return greatestOf(values, isGreatest, context, !isUnnameable(expression))
}

function printRowComparison(expression: RowComparison, context: PrintContext): Sql {
  const { comparison, left, right } = expression
  const pairs = left.map((one, index) => {
    const other = right[index]
    if (other === undefined) throw new GatewayError('internal', 'rows of different lengths')
    return sameType(one, other, context)
  })
  const isOrdering = comparison !== '=' && comparison !== '<>'
  for (const [one] of pairs) {
    const typeClass = classOfType(one.type, context)
    if (isOrdering && (typeClass === 'array' || typeClass === 'jsonb')) {
      refuse('an ordering of this type', one.position)
    }
  }
  const side = (which: 0 | 1) =>
    joinSql(
      pairs.map((pair) => keyOf(pair[which], context)),
      ', ',
    )
  return sql`((${side(0)}) ${operatorSymbol(comparison)} (${side(1)}))`
}
