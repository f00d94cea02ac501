/** @module Operators that mean the same for every type: comparisons, and patterns of texts. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Query } from '../bind/tree/bound-query.ts'
import type {
  ComparisonName,
  Expression,
  FunctionCall,
  OperatorCall,
} from '../bind/tree/expression.ts'
import { type Sql, sql } from './sql-writer.ts'

const comparisonNames: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Returns whether an operator compares its operands. */
export function isComparison(name: string): name is ComparisonName {
  return comparisonNames.has(name)
}

type PrintOperands<Context> = (left: Expression, right: Expression, context: Context) => Sql

/** How a dialect matches a text with a pattern. */
export interface PatternPrinters<Context> {
  /** `~~`, which is LIKE. */
  readonly like: PrintOperands<Context>
  /** `~~*`, which is ILIKE. */
  readonly ilike: PrintOperands<Context>
  /** `~` */
  readonly regex: PrintOperands<Context>
  /** `~*` */
  readonly regexInAnyCase: PrintOperands<Context>
  /** `^@` */
  readonly startsWith: PrintOperands<Context>
}

/** Undefined for an operator that is not a pattern match. */
export function printPatternOperator<Context>(
  { operator, left, right }: OperatorCall,
  context: Context,
  printers: PatternPrinters<Context>,
): Sql | undefined {
  if (left === undefined) return undefined
  const isNegated = operator.name.startsWith('!')
  const print = printerOf(isNegated ? operator.name.slice(1) : operator.name, printers)
  if (print === undefined) return undefined
  const matched = print(left, right, context)
  return isNegated ? sql`(not ${matched})` : matched
}

function printerOf<Context>(
  name: string,
  printers: PatternPrinters<Context>,
): PrintOperands<Context> | undefined {
  switch (name) {
    case '~~':
      return printers.like
    case '~~*':
      return printers.ilike
    case '~':
      return printers.regex
    case '~*':
      return printers.regexInAnyCase
    case '^@':
      return printers.startsWith
    default:
      return undefined
  }
}

/** The query in the argument of a call: `call(rowsOfQuery, [subquery])`. */
export function queryOf({ args }: FunctionCall): Query {
  const [subquery] = args
  if (subquery?.kind !== 'subquery') throw new GatewayError('internal', 'a call without its query')
  return subquery.query
}
