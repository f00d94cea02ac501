/** @module Functions: the server's expressions with the results of PostgreSQL's functions. Unlisted functions are refused. */

import { joinSql, rowLimit, type Sql, singleRow, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { haveBoundedLength, notTooLong } from '../../bounded-text.ts'
import {
  call,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
} from '../../print-context.ts'
import { printRowLimit } from '../../print-limit.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues, mostDoubled } from '../binding/let-binding.ts'
import { storedOr } from '../comparison/comparison.ts'
import { outputForm } from '../forms/text-form.ts'
import { castCall } from './cast-call.ts'
import { formatText } from './format-text.ts'
import type { CallPrinter } from './function-printers.ts'
import { arrayFunctions, arraySpecials } from './functions-array.ts'
import { dateFunctions, dateSpecials } from './functions-date.ts'
import { jsonFunctions, jsonSpecials } from './functions-json.ts'
import { numberFunctions } from './functions-number.ts'
import { regexFunctions, regexSpecials } from './functions-regex.ts'
import { textFunctions, textSpecials } from './functions-text.ts'

type Special = (expression: FunctionCall, context: PrintContext) => Sql

const printers: ReadonlyMap<string, CallPrinter> = new Map(
  [
    numberFunctions,
    textFunctions,
    regexFunctions,
    dateFunctions,
    jsonFunctions,
    arrayFunctions,
  ].flatMap((each) => Object.entries(each)),
)

export function printCall(expression: FunctionCall, context: PrintContext): Sql {
  const { function: definition, args, position } = expression
  const [first] = args
  if (definition === rowLimit) return printRowLimit(expression)
  // The server itself raises an error for several rows.
  if (definition === singleRow && first !== undefined) return print(first, context)
  if (definition.returnsSet) return refuse(`${definition.name} outside of FROM`, position)
  const special = specials.get(definition.signature) ?? specials.get(definition.name)
  if (special !== undefined) return special(expression, context)
  const printer = printers.get(definition.signature) ?? printers.get(definition.name)
  if (printer === undefined) {
    return castCall(expression, context) ?? refuse(`the function ${definition.signature}`, position)
  }
  return printer(
    args.map((each) => print(each, context)),
    expression,
    context,
  )
}

/** Calls that examine their arguments before these are printed. */
const specials: ReadonlyMap<string, Special> = new Map(
  Object.entries<Special>({
    ...textSpecials,
    ...regexSpecials,
    ...dateSpecials,
    ...jsonSpecials,
    ...arraySpecials,
    concat: ({ args }, context) => {
      if (args.length === 0) return sql`''`
      const joined = args.map((each) => sql`coalesce(${textOf(each, context)}, '')`)
      return haveBoundedLength(args, context)
        ? call('concat', ...joined)
        : notTooLong(call('concat', ...joined), [])
    },
    concat_ws: ({ args, position }, context) => {
      const [separator, ...rest] = args.map((each) => textOf(each, context))
      if (separator === undefined) return refuse('concat_ws without arguments', position)
      if (rest.length === 0) return sql`if(isnull(${separator}), null, '')`
      if (haveBoundedLength(args, context)) return call('concat_ws', separator, ...rest)
      return letValues(
        [{ value: separator, kind: 'text' }],
        context,
        args.every(canBind),
        (mark = nullSql) => notTooLong(call('concat_ws', mark, ...rest), [mark]),
        mostDoubled,
      )
    },
    format: formatText,
    num_nulls: (expression, context) => countOf(expression, context, true),
    num_nonnulls: (expression, context) => countOf(expression, context, false),
  }),
)

function textOf(expression: Expression, context: PrintContext): Sql {
  if (expression.kind === 'constant' && expression.value === null) return nullSql
  if (classOfType(expression.type, context) === 'record') {
    return refuse('text of a row', expression.position)
  }
  return outputForm(expression, context)
}

function countOf({ args }: FunctionCall, context: PrintContext, isNull: boolean): Sql {
  if (args.length === 0) return sql`0`
  const tests = args.map((each) => {
    const value = storedOr(each, context)
    return isNull ? sql`isnull(${value})` : sql`(not isnull(${value}))`
  })
  return sql`(${joinSql(tests, ' + ')})`
}
