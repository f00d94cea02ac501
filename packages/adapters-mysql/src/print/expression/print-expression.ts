/** @module Prints every kind of expression, in the working form of its type's class: see `type-class.ts`. */

import type { ValueSource } from '@engine/core/adapter'
import type { SqlType } from '@engine/core/catalog'
import {
  commonPrinters,
  type ExpressionPrinters,
  joinConditions,
  parameter,
  printByKind,
  printRowComparison,
  type Sql,
  sql,
} from '@engine/core/print'
import type { Collate, Constant, Expression, Extremum, NullIf } from '@engine/core/tree'
import {
  binaryCollation,
  call,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
  relationOf,
} from '../print-context.ts'
import { readStored } from '../read-stored.ts'
import { comparesNatively, type TypeClass } from '../type-class.ts'
import { canBind } from './binding/can-bind.ts'
import { letColumns } from './binding/let-columns.ts'
import { letExpressions, namedValue } from './binding/named-kind.ts'
import {
  comparisonKeys,
  printComparison,
  printInList,
  printSameness,
  storedOr,
} from './comparison/comparison.ts'
import { greatestOf } from './decimal/greatest.ts'
import { recordObject, rowObject } from './forms/json-form.ts'
import { printCall } from './functions/print-call.ts'
import { documentOf } from './json/document.ts'
import { ofServer } from './json/server-json.ts'
import { decimalOf } from './numeric/print-decimal.ts'
import { printAggregate } from './print-aggregate.ts'
import { printArray, printSubscript } from './print-array.ts'
import { printCast } from './print-cast.ts'
import { printOperator } from './print-operator.ts'
import { printSubquery } from './print-subquery.ts'
import { printWindow } from './print-window.ts'
import { printQuantifiedArray } from './quantified-array.ts'

const printers: ExpressionPrinters<PrintContext> = {
  ...commonPrinters<PrintContext>({ print, printBranch, unknown: sql`unknown` }),
  column: (expression, context) => {
    const column = relationOf(expression.relation, context).column(expression.column)
    return column.stored === undefined ? column.sql : readStored(column.stored, column.sql, context)
  },
  constant: printConstant,
  parameter: ({ index, type, position }, context) =>
    bound({ from: 'request', index, type }, type, context, position),
  caller: ({ slot, type, position }, context) =>
    bound({ from: 'caller', slot }, type, context, position),
  requestTime: ({ kind, position, ...moment }, context) =>
    bound({ from: kind, ...moment }, moment.type, context, position),
  call: printCall,
  operator: printOperator,
  cast: printCast,
  logical: ({ operands, operator }, context) =>
    joinConditions(
      operands.map((each) => print(each, context)),
      operator,
    ),
  nullTest: ({ operand, negated }, context) => printNullTest(operand, negated, context),
  distinctTest: ({ left, right, negated }, context) => {
    const same = printSameness(left, right, context)
    return negated ? same : sql`(not ${same})`
  },
  nullIf: printNullIf,
  extremum: printExtremum,
  inList: ({ operand, items, negated }, context) => printInList(operand, items, negated, context),
  quantifiedArray: (expression, context) => printQuantifiedArray(expression, context),
  array: printArray,
  subscript: printSubscript,
  arraySection: ({ position }) => refuse('a slice of an array', position),
  row: recordObject,
  field: ({ position }) => refuse('a field of a row', position),
  rowComparison: (expression, context) => printRowComparison(expression, context, comparisonKeys),
  subquery: printSubquery,
  exists: printSubquery,
  quantifiedSubquery: printSubquery,
  arraySubquery: ({ position }) => refuse('an array of a query', position),
  aggregate: printAggregate,
  window: printWindow,
  collate: printCollated,
  wholeRow: rowObject,
}

const printOthers = printByKind(printers)

export function printExpression(expression: Expression, context: PrintContext): Sql {
  return isNumeric(expression, context)
    ? decimalOf(expression, context).value()
    : printOthers(expression, context)
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
  const typeClass = classOfType(type, context)
  if (value === null) return nullOf(typeClass, context)
  if (typeClass === 'bool') return value === 'true' ? sql`true` : sql`false`
  return bound({ from: 'constant', value, type }, type, context, position)
}

/** Classes whose working form is a text. */
const textClasses: ReadonlySet<TypeClass> = new Set<TypeClass>([
  ...(['text', 'bpchar', 'uuid', 'json', 'jsonb', 'array', 'record'] as const),
])

/** A function of the word NULL has bytes on MySQL, which no regular expression takes. */
function nullOf(typeClass: TypeClass, context: PrintContext): Sql {
  return textClasses.has(typeClass) && context.traits.faults.bytesOfNull
    ? sql`(cast(null as char) collate ${binaryCollation(context)})`
    : nullSql
}

/** A value is sent as text, and a cast gives it its type. */
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
    case 'bytea':
      return context.traits.readsBytesParameterAsText
        ? sql`coalesce(cast(${value} as binary), ${longNull})`
        : value
    case 'float4':
      return sql`cast(${value} as float)`
    case 'float8':
      return sql`cast(${value} as double)`
    case 'date':
      return sql`cast(${value} as date)`
    case 'time':
      return context.traits.readsTimeParameterAsMoment
        ? sql`cast(cast(${value} as char) as time(6))`
        : sql`cast(${value} as time(6))`
    case 'timestamp':
    case 'timestamptz':
      return sql`cast(${value} as datetime(6))`
    case 'interval':
      return refuse('an interval as a value', position)
    case 'record':
    case 'other':
      return refuse(`the type ${context.types.formatType(type.oid)}`, position)
    default:
      return context.traits.faults.parametersOfOtherArms
        ? sql`(${mayBeLong(source) ? wholeText(value) : value} collate ${binaryCollation(context)})`
        : value
  }
}

/** Around a document, COLLATE stands for one that the server can parse: see `held-documents.ts` and `whole-text.ts`. */
function printCollated({ operand }: Collate, context: PrintContext): Sql {
  const typeClass = classOfType(operand.type, context)
  const isDocument = typeClass === 'json' || typeClass === 'jsonb'
  const value = isDocument
    ? ofServer(documentOf(operand, context), context)
    : print(operand, context)
  return sql`(${value} collate ${binaryCollation(context)})`
}

/** NULL with the type LONGBLOB. */
const longNull = sql`uncompress(null)`

/** A text with the type LONGTEXT: a shorter one would be cut where rows are kept, as in a UNION, WITH or a derived table. */
function wholeText(text: Sql): Sql {
  return sql`coalesce(${text}, cast(${longNull} as char))`
}

/** A number of characters that never need more than 65535 bytes. */
const shortText = 16_383

function mayBeLong(source: ValueSource): boolean {
  return source.from !== 'constant' || String(source.value).length > shortText
}

function printNullTest(operand: Expression, isNegated: boolean, context: PrintContext): Sql {
  const typeClass = classOfType(operand.type, context)
  if (typeClass === 'record') return refuse('IS NULL of a whole row', operand.position)
  const value = storedOr(operand, context)
  // Only IS NULL and NOT (… IS NOT NULL) treat the date 0000-00-00 of a NOT NULL column as NULL; no other operator does.
  if (typeClass === 'date' || typeClass === 'timestamp' || typeClass === 'timestamptz') {
    return isNegated ? sql`(not (${value} <=> null))` : sql`(${value} <=> null)`
  }
  return isNegated ? sql`(${value} is not null)` : sql`(${value} is null)`
}

/** Documents of different origin have different collations, which CASE cannot combine. */
function printBranch(expression: Expression, context: PrintContext): Sql {
  const value = print(expression, context)
  const typeClass = classOfType(expression.type, context)
  const isNull = expression.kind === 'constant' && expression.value === null
  const isDocument = typeClass === 'json' || typeClass === 'jsonb' || typeClass === 'array'
  return isDocument && !isNull ? sql`(${value} collate ${binaryCollation(context)})` : value
}

function printNullIf(expression: NullIf, context: PrintContext): Sql {
  const { left, right, type } = expression
  const isSame = classOfType(left.type, context) === classOfType(right.type, context)
  if (isSame && comparesNatively(classOfType(type, context))) {
    // The server evaluates the first argument twice.
    return letExpressions([left], context, (value = nullSql) =>
      call('nullif', value, print(right, context)),
    )
  }
  return letColumns([left], context, (operand = left) => {
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
  return greatestOf(values, isGreatest, context, canBind(expression))
}
