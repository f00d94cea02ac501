/** @module Prints expressions by kind: a dialect has a function for each kind, and a missing function is a compile error. */

import { GatewayError } from '../../foundation/errors.ts'
import type {
  BooleanTest,
  Case,
  Coalesce,
  Expression,
  Logical,
  Not,
  OldCondition,
} from '../bind/tree/expression.ts'
import { markVolatile } from './mark-volatile.ts'
import { commaList, joinSql, keyword, type Sql, sql } from './sql-writer.ts'

/** Kinds that printers never receive: an output is a sort key only, and lowering replaces GROUPING(). */
type UnprintedKind = 'output' | 'grouping'

/** The kinds of expressions that a printer meets: lowering removes the others. */
export type PrintedKind = Exclude<Expression['kind'], UnprintedKind>

/** A printer for each kind of expression. */
export type ExpressionPrinters<Context, Kind extends PrintedKind = PrintedKind> = {
  readonly [Each in Kind]: (
    expression: Extract<Expression, { kind: Each }>,
    context: Context,
  ) => Sql
}

/** @returns the printer of all kinds. Volatile calls are marked in what it prints. */
export function printByKind<Context>(
  printers: ExpressionPrinters<Context>,
): (expression: Expression, context: Context) => Sql {
  return (expression, context) => {
    const { kind } = expression
    if (kind === 'output' || kind === 'grouping') {
      throw new GatewayError('internal', `an expression of kind ${kind} reached the printer`)
    }
    // Keys and functions have the same kinds, which TypeScript can check for one kind at a time only.
    const print = printers[kind] as (expression: Expression, context: Context) => Sql
    const printed = print(expression, context)
    return kind === 'call' || kind === 'operator' ? markVolatile(expression, printed) : printed
  }
}

/** Prints a part of an expression. */
type PrintPart<Context> = (part: Expression, context: Context) => Sql

interface PartPrinters<Context> {
  readonly print: PrintPart<Context>
  /** One of several expressions that can be the value: the results of CASE, the arguments of COALESCE. */
  readonly printBranch: PrintPart<Context>
  /** `unknown` in the spelling that IS accepts. */
  readonly unknown: Sql
}

/** Kinds with the same spelling in all databases. */
type CommonKind = 'oldCondition' | 'not' | 'booleanTest' | 'case' | 'coalesce'

/** Printers of the expressions that every database spells alike. */
export function commonPrinters<Context extends { readonly oldConditions: readonly Sql[] }>({
  print,
  printBranch,
  unknown,
}: PartPrinters<Context>): ExpressionPrinters<Context, CommonKind> {
  return {
    oldCondition: printOldCondition,
    not: ({ operand }: Not, context) => sql`(not ${print(operand, context)})`,
    booleanTest: ({ operand, test, negated }: BooleanTest, context) => {
      const word = negated ? keyword('is not') : keyword('is')
      const value = { true: sql`true`, false: sql`false`, unknown }[test]
      return sql`(${print(operand, context)} ${word} ${value})`
    },
    case: ({ whens, otherwise }: Case, context) => {
      const printed = whens.map(
        ({ condition, result }) =>
          sql`when ${print(condition, context)} then ${printBranch(result, context)}`,
      )
      const last = otherwise === undefined ? sql`` : sql`else ${printBranch(otherwise, context)} `
      return sql`case ${joinSql(printed, ' ')} ${last}end`
    },
    coalesce: ({ args }: Coalesce, context) => {
      const printed = args.map((each) => printBranch(each, context))
      const [only] = printed
      return printed.length === 1 && only !== undefined
        ? only
        : sql`coalesce(${commaList(printed)})`
    },
  }
}

function printOldCondition(
  { index }: OldCondition,
  { oldConditions }: { readonly oldConditions: readonly Sql[] },
): Sql {
  const condition = oldConditions[index]
  if (condition === undefined) throw new GatewayError('internal', 'no such old condition')
  return condition
}

/** `(a and b and c)` */
export function joinConditions(conditions: readonly Sql[], operator: Logical['operator']): Sql {
  return operator === 'and'
    ? sql`(${joinSql(conditions, ' and ')})`
    : sql`(${joinSql(conditions, ' or ')})`
}

/** Conditions that must all hold; undefined when there are none. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const present = conditions.filter((each) => each !== undefined)
  return present.length === 0 ? undefined : joinSql(present, ' and ')
}
