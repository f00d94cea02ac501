/** @module Functions: SQLite's or the adapter's functions with the results of PostgreSQL's. Unlisted functions are refused. */

import { GatewayError } from '@engine/core/adapter'
import { integer, type Sql, singleRow, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { hasBoundedLength } from '../bounded-text.ts'
import { call, nullSql, type PrintContext, print, refuse, relationOf } from '../print-context.ts'
import { outputForm } from './forms/text-form.ts'
import type { CallPrinter } from './functions/function-printers.ts'
import { dateFunctions } from './functions/functions-date.ts'
import { jsonBuilders, jsonFunctions } from './functions/functions-json.ts'
import { numberFunctions } from './functions/functions-number.ts'
import { textFunctions } from './functions/functions-text.ts'
import { printSingleRow } from './print-subquery.ts'

const printers: ReadonlyMap<string, CallPrinter> = new Map(
  [numberFunctions, textFunctions, dateFunctions, jsonFunctions].flatMap((each) =>
    Object.entries(each),
  ),
)

export function printCall(expression: FunctionCall, context: PrintContext): Sql {
  const { function: definition, args } = expression
  if (definition === singleRow) return printSingle(expression, context)
  if (definition.returnsSet) {
    return refuse(`${definition.name} outside of FROM`, expression.position)
  }
  const special = specialCalls[definition.name] ?? jsonBuilders[definition.name]
  if (special !== undefined) return special(expression, context)
  const printer = printers.get(definition.signature) ?? printers.get(definition.name)
  if (printer === undefined)
    return refuse(`the function ${definition.signature}`, expression.position)
  return printer(
    args.map((each) => print(each, context)),
    expression,
    context,
  )
}

function printSingle(expression: FunctionCall, context: PrintContext): Sql {
  const [subquery] = expression.args
  if (subquery?.kind !== 'subquery') throw new GatewayError('internal', 'a row of no query')
  return printSingleRow(subquery.query, context)
}

/** Calls that examine their arguments before these are printed. */
const specialCalls: Readonly<
  Record<string, (expression: FunctionCall, context: PrintContext) => Sql>
> = {
  concat: (expression, context) => {
    if (expression.args.length === 0) return sql`''`
    const texts = expression.args.map((each) => textOf(each, context))
    return haveBoundedLength(expression, context)
      ? call('concat', ...texts)
      : call('text_join', ...texts)
  },
  concat_ws: (expression, context) => {
    const [separator, ...rest] = expression.args.map((each) => textOf(each, context))
    if (separator === undefined) return refuse('concat_ws without arguments', expression.position)
    if (rest.length === 0) return sql`iif(${separator} is null, null, '')`
    return haveBoundedLength(expression, context)
      ? call('concat_ws', separator, ...rest)
      : call('pg_concat_ws', separator, ...rest)
  },
  format: (expression, context) =>
    call('pg_format', ...expression.args.map((each) => textOf(each, context))),
  num_nulls: (expression, context) => countOf(expression, context, true),
  num_nonnulls: (expression, context) => countOf(expression, context, false),
}

function haveBoundedLength({ args }: FunctionCall, context: PrintContext): boolean {
  return args.every((each) => hasBoundedLength(each, context))
}

function textOf(expression: Expression, context: PrintContext): Sql {
  if (expression.kind === 'constant' && expression.value === null) return nullSql
  return outputForm(print(expression, context), expression.type, context, expression.position)
}

function countOf(expression: FunctionCall, context: PrintContext, isNull: boolean): Sql {
  const tests = expression.args.map((each) => {
    const value =
      each.kind === 'column'
        ? relationOf(each.relation, context).column(each.column).sql
        : print(each, context)
    return isNull ? sql`(${value} is null)` : sql`(${value} is not null)`
  })
  if (tests.length === 0) return integer(0)
  const sum = tests.reduce((left, right) => sql`${left} + ${right}`)
  return sql`(${sum})`
}
