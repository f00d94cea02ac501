/** @module Operators and the constructs that are made of one. */
import {
  commaList,
  type DistinctTest,
  type InList,
  identifier,
  keyword,
  type NullIf,
  type OperatorCall,
  operatorSymbol,
  type PgOperator,
  type QuantifiedArray,
  type QuantifiedSubquery,
  type RowComparison,
  type Sql,
  sql,
  unsupportedConstruct,
} from '@engine/core'
import type { PrintContext } from './print-context.ts'
import { typeName } from './type-name.ts'

/**
 * The bare symbol for PostgreSQL's own operators: the search path of our sessions begins with pg_catalog, and operands have
 * exactly the operator's types, so that nothing else can be meant. Others with the schema they live in.
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

/** IN looks `=` up by the search path, so that an operator of an extension needs ANY. */
export function printInList(test: InList, context: PrintContext): Sql {
  const operand = context.printExpression(test.operand, context)
  const items = test.items.map((item) => context.printExpression(item, context))
  const [first, ...others] = items
  if (first === undefined) return test.negated ? keyword('true') : keyword('false')
  // A single parenthesised subquery would be taken for IN (SELECT ...).
  if (others.length === 0) {
    const equal = sql`(${operand} ${printOperator(test.operator)} ${first})`
    return test.negated ? sql`(not ${equal})` : equal
  }
  if (test.operator.schema !== undefined || isCopied(test, operand, context)) {
    const any = sql`(${operand} ${printOperator(test.operator)} any (array[${commaList(items)}]))`
    return test.negated ? sql`(not ${any})` : any
  }
  return sql`(${operand} ${keyword(test.negated ? 'not in' : 'in')} (${commaList(items)}))`
}

/** Pieces of an operand that may stand in a statement once for each item of a list. */
const mostCopied = 8

/**
 * Would the server put the operand once for each item? It does so where an item is no constant, before it looks at the
 * statement's time: lists inside each other double with every level. An array of arrays is no list of its items.
 */
function isCopied({ items }: InList, operand: Sql, { types }: PrintContext): boolean {
  return (
    operand.size > mostCopied &&
    items.every(({ type }) => types.elementTypeOid(types.baseTypeOid(type.oid)) === undefined)
  )
}

export function printQuantifiedArray(test: QuantifiedArray, context: PrintContext): Sql {
  const operand = context.printExpression(test.operand, context)
  const array = context.printExpression(test.array, context)
  // ANY over a bare subquery would look at its rows, not at the elements of its value.
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
    return sql`(${operand} ${printOperator(operator)} ${quantifier} (${query}))`
  }
  refuseForeignOperators(test.operators, test.position)
  const row = sql`row(${commaList(operands)})`
  return sql`(${row} ${operatorSymbol(test.comparison)} ${quantifier} (${query}))`
}

/** Rows are compared by operators that the search path finds. */
function refuseForeignOperators(operators: readonly PgOperator[], position: number | undefined) {
  const foreign = operators.find((operator) => operator.schema !== undefined)
  if (foreign === undefined) return
  throw unsupportedConstruct('a row comparison of extension types', 'PostgreSQL', position)
}
