/** @module Prints operators, and constructs that are composed of one. */

import { GatewayError } from '@engine/core/adapter'
import type { PgOperator } from '@engine/core/catalog'
import {
  commaList,
  copiedByDatabase,
  identifier,
  keyword,
  operatorSymbol,
  type Sql,
  sql,
} from '@engine/core/print'
import {
  type DistinctTest,
  type Expression,
  type InList,
  type NullIf,
  type OperatorCall,
  type QuantifiedArray,
  type QuantifiedSubquery,
  type RowComparison,
  unsupportedConstruct,
} from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'
import { typeName } from './type-name.ts'

/**
 * The bare symbol for PostgreSQL's own operators: the search path of our sessions begins with pg_catalog, and operands
 * have exactly the operator's types, so the symbol is unambiguous. Others are qualified with their schema.
 */
export function printOperator(operator: PgOperator): Sql {
  const symbol = operatorSymbol(operator.name)
  return operator.schema === undefined
    ? symbol
    : sql`operator(${identifier(operator.schema)}.${symbol})`
}

export function printOperatorCall(call: OperatorCall, context: PrintContext): Sql {
  const operator = printOperator(call.operator)
  const right = context.printExpression(call.right, context)
  if (call.left === undefined) return sql`(${operator} ${right})`
  return sql`(${context.printExpression(call.left, context)} ${operator} ${right})`
}

/** IN finds `=` by the search path, so an operator of an extension needs ANY. */
export function printInList(test: InList, context: PrintContext): Sql {
  const operand = context.printExpression(test.operand, context)
  const items = test.items.map((item) => context.printExpression(item, context))
  const [first, ...others] = items
  if (first === undefined) return test.negated ? keyword('true') : keyword('false')
  // A single subquery in parentheses would be read as IN (SELECT ...).
  if (others.length === 0) {
    const equal = sql`(${operand} ${printOperator(test.operator)} ${first})`
    return test.negated ? sql`(not ${equal})` : equal
  }
  const copied = (copiesOfOperand(test, context) - 1) * operand.parsedSize
  const isListed = test.operator.schema === undefined && mayCopy(copied, context)
  if (!isListed && !isListOfArrays(test, context)) {
    const any = sql`(${operand} ${printOperator(test.operator)} any (array[${commaList(items)}]))`
    return test.negated ? sql`(not ${any})` : any
  }
  if (!isListed) throw tooLarge(test)
  const list = sql`(${operand} ${keyword(test.negated ? 'not in' : 'in')} (${commaList(items)}))`
  return copiedByDatabase(list, copied)
}

/**
 * Maximum pieces that the server may copy for the lists of one statement: some milliseconds of planning. Few, since a
 * derived column that contains a list may itself be inserted many times: see `enforceExpandedSize`.
 */
const mostCopiedPieces = 3_000

/**
 * The server copies the operand once for all constants of a list and once for each other item, before it checks the
 * statement's time: nested lists multiply. ANY copies it once, but computes all items, also those after an equal one.
 */
function copiesOfOperand(test: InList, context: PrintContext): number {
  const constants = isListOfArrays(test, context) ? 0 : test.items.filter(isPlain).length
  return constants < 2 ? test.items.length : test.items.length - constants + 1
}

function isPlain({ kind }: Expression): boolean {
  return kind === 'constant' || kind === 'parameter' || kind === 'caller' || kind === 'requestTime'
}

/** An array of arrays is not a list of its items. */
function isListOfArrays({ items }: InList, { types }: PrintContext): boolean {
  return items.some(({ type }) => types.elementTypeOid(types.baseTypeOid(type.oid)) !== undefined)
}

function mayCopy(pieces: number, { copies }: PrintContext): boolean {
  if (copies.pieces + pieces > mostCopiedPieces) return false
  copies.pieces += pieces
  return true
}

function tooLarge({ position }: InList): GatewayError {
  return new GatewayError('limitExceeded', 'The operand of IN is too large.', {
    sqlState: '54001',
    ...(position === undefined ? {} : { position }),
  })
}

export function printQuantifiedArray(test: QuantifiedArray, context: PrintContext): Sql {
  const operand = context.printExpression(test.operand, context)
  const array = context.printExpression(test.array, context)
  // ANY over a bare subquery would read its rows, not the elements of its value.
  const value =
    test.array.kind === 'subquery'
      ? sql`${array}::${typeName(context.types, test.array.type)}`
      : array
  return sql`(${operand} ${printOperator(test.operator)} ${keyword(test.quantifier)} (${value}))`
}

export function printDistinctTest(test: DistinctTest, context: PrintContext): Sql {
  const left = context.printExpression(test.left, context)
  const right = context.printExpression(test.right, context)
  if (test.operator.schema === undefined) {
    const words = keyword(test.negated ? 'is not distinct from' : 'is distinct from')
    return sql`(${left} ${words} ${right})`
  }
  const differs = sql`(case when (${left} is null) or (${right} is null) then (${left} is null) <> (${right} is null) else not (${left} ${printOperator(test.operator)} ${right}) end)`
  return test.negated ? sql`(not ${differs})` : differs
}

export function printNullIf(expression: NullIf, context: PrintContext): Sql {
  const left = context.printExpression(expression.left, context)
  const right = context.printExpression(expression.right, context)
  if (expression.operator.schema === undefined) return sql`nullif(${left}, ${right})`
  const equal = sql`${left} ${printOperator(expression.operator)} ${right}`
  return sql`(case when ${equal} then null else ${left} end)`
}

export function printRowComparison(test: RowComparison, context: PrintContext): Sql {
  refuseForeignOperators(test.operators, test.position)
  const row = (fields: RowComparison['left']) =>
    sql`row(${commaList(fields.map((field) => context.printExpression(field, context)))})`
  return sql`(${row(test.left)} ${operatorSymbol(test.comparison)} ${row(test.right)})`
}

export function printQuantifiedSubquery(test: QuantifiedSubquery, context: PrintContext): Sql {
  const operands = test.operands.map((operand) => context.printExpression(operand, context))
  const query = context.printQuery(test.query, context)
  if (test.quantifier === 'one') {
    refuseForeignOperators(test.operators, test.position)
    return sql`(row(${commaList(operands)}) ${operatorSymbol(test.comparison)} (${query}))`
  }
  const quantifier = keyword(test.quantifier)
  const [operand, ...others] = operands
  const [operator] = test.operators
  if (operand !== undefined && operator !== undefined && others.length === 0) {
    // The fields of a row constructor would be compared with as many columns.
    const value = isRowConstructor(test.operands[0]) ? sql`row(${operand})` : operand
    return sql`(${value} ${printOperator(operator)} ${quantifier} (${query}))`
  }
  refuseForeignOperators(test.operators, test.position)
  const row = sql`row(${commaList(operands)})`
  return sql`(${row} ${operatorSymbol(test.comparison)} ${quantifier} (${query}))`
}

function isRowConstructor(operand: Expression | undefined): boolean {
  return operand?.kind === 'row' || operand?.kind === 'wholeRow'
}

/** Rows are compared by operators that the search path finds. */
function refuseForeignOperators(operators: readonly PgOperator[], position: number | undefined) {
  const foreign = operators.find((operator) => operator.schema !== undefined)
  if (foreign === undefined) return
  throw unsupportedConstruct('a row comparison of extension types', 'PostgreSQL', position)
}
