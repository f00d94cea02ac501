/** @module Functions that create and read JSON. */

import { type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { hasBoundedLength } from '../../bounded-text.ts'
import { call, classOfType, type PrintContext, print, refuse } from '../../print-context.ts'
import {
  boundedConcatenation,
  concatenation,
  constantText,
  jsonFragment,
  jsonValue,
} from '../forms/json-form.ts'
import { keyForm } from '../forms/text-form.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

const nothing = sql`null`

/** `[1, "a", null]` */
function arrayText(expression: FunctionCall, context: PrintContext): Sql {
  if (expression.args.length === 0) return sql`'[]'`
  const parts = expression.args.flatMap((each, index) => [
    index === 0 ? sql`'['` : sql`', '`,
    jsonFragment(each, context),
  ])
  return boundedConcatenation([...parts, sql`']'`], haveBoundedLength(expression, context))
}

function haveBoundedLength({ args }: FunctionCall, context: PrintContext): boolean {
  return args.every((each) => hasBoundedLength(each, context))
}

/** `{"a" : 1, "b" : 2}` */
function objectText(expression: FunctionCall, context: PrintContext): Sql {
  const { args, position } = expression
  if (args.length === 0) return sql`'{}'`
  if (args.length % 2 === 1) return refuse('an odd number of arguments', position)
  const parts: Sql[] = []
  for (const [index, value] of args.entries()) {
    if (index % 2 === 0) parts.push(keyText(value, index, context))
    else parts.push(jsonFragment(value, context))
  }
  return boundedConcatenation([...parts, sql`'}'`], haveBoundedLength(expression, context))
}

function keyText(key: Expression, index: number, context: PrintContext): Sql {
  const lead = index === 0 ? '{' : ', '
  if (key.kind === 'constant' && typeof key.value === 'string' && isText(key, context)) {
    return constantText(`${lead}${JSON.stringify(key.value)} : `)
  }
  const text = keyForm(print(key, context), key.type, context, key.position)
  return sql`(${constantText(lead)} || ${call('json_key', text)} || ' : ')`
}

function isText(expression: Expression, context: PrintContext): boolean {
  return classOfType(expression.type, context) === 'text'
}

function toJson(expression: FunctionCall, context: PrintContext): Sql {
  const [value] = expression.args
  if (value === undefined || expression.args.length > 1) {
    return refuse('pretty-printed JSON', expression.position)
  }
  return jsonValue(value, context)
}

const length: CallPrinter = (args) => call('pg_json_array_length', ...args)

const typeName: CallPrinter = (args) => call('pg_json_typeof', ...args)

/** The path consists of single arguments: it was VARIADIC. */
const extractPath =
  (isText: boolean): CallPrinter =>
  ([document = nothing, ...path], expression, context) => {
    const name = isText ? 'text' : 'json'
    const [only] = path
    const [, given] = expression.args
    if (only !== undefined && given !== undefined && classOfType(given.type, context) === 'array') {
      return follow(document, only, name)
    }
    const parts = path.flatMap((each, index) => [
      index === 0 ? sql`'['` : sql`','`,
      call('json_quote', each),
    ])
    const list = path.length === 0 ? sql`'[]'` : concatenation([...parts, sql`']'`])
    return follow(document, list, name)
  }

function follow(document: Sql, path: Sql, form: 'text' | 'json'): Sql {
  return form === 'text'
    ? call('pg_json_path_text', document, path)
    : call('pg_json_path', document, path)
}

/** Calls whose arguments are written as JSON, including whole rows. */
export const jsonBuilders: Readonly<
  Record<string, (expression: FunctionCall, context: PrintContext) => Sql>
> = {
  json_build_array: arrayText,
  jsonb_build_array: (expression, context) => call('pg_jsonb', arrayText(expression, context)),
  json_build_object: objectText,
  jsonb_build_object: (expression, context) => call('pg_jsonb', objectText(expression, context)),
  to_json: toJson,
  row_to_json: toJson,
  array_to_json: toJson,
  to_jsonb: (expression, context) => call('pg_jsonb', toJson(expression, context)),
}

export const jsonFunctions: CallPrinters = {
  json_array_length: length,
  jsonb_array_length: length,
  json_typeof: typeName,
  jsonb_typeof: typeName,
  json_extract_path: extractPath(false),
  jsonb_extract_path: extractPath(false),
  json_extract_path_text: extractPath(true),
  jsonb_extract_path_text: extractPath(true),
  json_strip_nulls: (args) => call('json_strip', ...args),
  'json_object(_text)': (args) => call('json_pairs', ...args),
  'json_object(_text,_text)': (args) => call('json_zip', ...args),
  'jsonb_object(_text)': (args) => call('pg_jsonb', call('json_pairs', ...args)),
  'jsonb_object(_text,_text)': (args) => call('pg_jsonb', call('json_zip', ...args)),
  jsonb_strip_nulls: (args) => call('pg_jsonb_strip_nulls', ...args),
  jsonb_set: (args) => call('pg_jsonb_set', ...args),
  jsonb_insert: (args) => call('pg_jsonb_insert', ...args),
  jsonb_pretty: (args) => call('jsonb_pretty', ...args),
  'bool(jsonb)': (args) => call('jsonb_to_bool', ...args),
}
