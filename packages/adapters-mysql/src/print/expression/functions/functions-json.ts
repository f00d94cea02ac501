/** @module Functions that create and read JSON. */

import { type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { constantText } from '../../constant-text.ts'
import { classOfType, nullSql, type PrintContext, print, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { elementsOf } from '../array/array-elements.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { concatenation, jsonFragment, jsonValue } from '../forms/json-form.ts'
import { keyForm } from '../forms/text-form.ts'
import { documentOf, namedDocument } from '../json/document.ts'
import { constantKeys, membersPath, throughObjects } from '../json/json-path.ts'
import { asText, stepFrom } from '../json/json-step.ts'
import { jsonString } from '../json/json-text.ts'
import { withoutNulls } from '../json/jsonb-text.ts'
import { jsonType, ofServer } from '../json/server-json.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

const nothing = nullSql

type Special = (expression: FunctionCall, context: PrintContext) => Sql

/** `[1, "a", null]` */
function arrayText(expression: FunctionCall, context: PrintContext): Sql {
  if (expression.args.length === 0) return sql`'[]'`
  const parts = expression.args.flatMap((each, index) => [
    index === 0 ? sql`'['` : sql`', '`,
    jsonFragment(each, context),
  ])
  return concatenation([...parts, sql`']'`])
}

/** `{"a" : 1, "b" : 2}` */
function objectText(expression: FunctionCall, context: PrintContext): Sql {
  const { args, position } = expression
  if (args.length === 0) return sql`'{}'`
  if (args.length % 2 === 1) return refuse('an odd number of arguments', position)
  const parts = args.map((value, index) =>
    index % 2 === 0 ? keyText(value, index, context) : jsonFragment(value, context),
  )
  return concatenation([...parts, sql`'}'`])
}

function keyText(key: Expression, index: number, context: PrintContext): Sql {
  const lead = index === 0 ? '{' : ', '
  const isText = classOfType(key.type, context) === 'text'
  if (key.kind === 'constant' && typeof key.value === 'string' && isText) {
    return constantText(`${lead}${JSON.stringify(key.value)} : `)
  }
  return sql`concat(${constantText(lead)}, ${quotedKey(key, context)}, ' : ')`
}

/** A key is never NULL. */
export function quotedKey(key: Expression, context: PrintContext): Sql {
  return sql`coalesce(${jsonString(keyForm(key, context))}, cast(${raiseState('22023')} as char))`
}

function toJson(expression: FunctionCall, context: PrintContext): Sql {
  const [value] = expression.args
  if (value === undefined || expression.args.length > 1) {
    return refuse('pretty-printed JSON', expression.position)
  }
  return jsonValue(value, context)
}

/** The path is constant. */
const extractPath =
  (isText: boolean): Special =>
  (expression, context) => {
    const [document, ...steps] = expression.args
    if (document === undefined) return refuse('a path', expression.position)
    const [only] = steps
    const isList = only !== undefined && classOfType(only.type, context) === 'array'
    const texts = isList ? elementsOf(only, context) : steps
    if (texts === undefined) return refuse('a path that is not constant', expression.position)
    const canBeNamed = canBind(expression)
    const found = texts.reduce(
      (from, step) => stepFrom(from, print(step, context), context, canBeNamed),
      documentOf(document, context),
    )
    return isText ? asText(found, context, canBeNamed) : ofServer(found, context)
  }

const typeName: CallPrinter = ([document = nothing], _, context) =>
  sql`case ${jsonType(document, context)} when 'OBJECT' then 'object' when 'ARRAY' then 'array' when 'STRING' then 'string' when 'BOOLEAN' then 'boolean' when 'NULL' then 'null' when 'INTEGER' then 'number' when 'DOUBLE' then 'number' when 'DECIMAL' then 'number' when 'UNSIGNED INTEGER' then 'number' end`

const stripped: CallPrinter = (_, { args, position }, context) => {
  const [document] = args
  if (document === undefined) return refuse('json_strip_nulls', position)
  return withoutNulls(documentOf(document, context), context, canBind(document))
}

const arrayLength: CallPrinter = ([value = nothing], expression, context) =>
  letValues(
    [{ value, kind: 'text' }],
    context,
    canBind(expression),
    (document = nothing) =>
      sql`case when ${jsonType(document, context)} <> 'ARRAY' then ${raiseState('22023')} else json_length(${document}) end`,
  )

/** Keys only: in an array a step would be an index, which is known only at run time. */
function setPath({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [document, path, value, create] = args
  if (document === undefined || path === undefined || value === undefined) {
    return refuse('jsonb_set', position)
  }
  const keys = constantKeys(path, context)
  if (keys === undefined) return refuse('jsonb_set of this path', position)
  const isSet = create === undefined || (create.kind === 'constant' && create.value === 'true')
  const isReplaced = create?.kind === 'constant' && create.value === 'false'
  if (!isSet && !isReplaced) return refuse('jsonb_set with this argument', position)
  const name = isSet ? sql`json_set` : sql`json_replace`
  const values = [namedDocument(document, context), namedDocument(value, context)]
  const canBeNamed = canBind(document) && canBind(value)
  return letValues(values, context, canBeNamed, (from = nothing, to = nothing) => {
    const at = constantText(membersPath(keys))
    const changed = ofServer(sql`${name}(${from}, ${at}, json_extract(${to}, '$'))`, context)
    return sql`if(isnull(${to}), null, ${throughObjects(from, keys, changed, true, context)})`
  })
}

/** Calls whose arguments are written as JSON, including whole rows. */
export const jsonSpecials: Readonly<Record<string, Special>> = {
  json_build_array: arrayText,
  jsonb_build_array: arrayText,
  json_build_object: objectText,
  jsonb_build_object: objectText,
  to_json: toJson,
  row_to_json: toJson,
  array_to_json: toJson,
  to_jsonb: toJson,
  json_extract_path: extractPath(false),
  jsonb_extract_path: extractPath(false),
  json_extract_path_text: extractPath(true),
  jsonb_extract_path_text: extractPath(true),
  jsonb_set: setPath,
}

export const jsonFunctions: CallPrinters = {
  json_typeof: typeName,
  jsonb_typeof: typeName,
  json_strip_nulls: stripped,
  jsonb_strip_nulls: stripped,
  json_array_length: arrayLength,
  jsonb_array_length: arrayLength,
}
