/** @module Elements and members of JSON documents, as rows. */

import { type Sql, sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import { canBind } from '../expression/binding/can-bind.ts'
import { letValues } from '../expression/binding/let-binding.ts'
import { namedDocument } from '../expression/json/document.ts'
import { asText, memberOf } from '../expression/json/json-step.ts'
import { asDocument, jsonType, ofServer } from '../expression/json/server-json.ts'
import { aliasOf, nullSql, type PrintContext } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { textColumn } from './json-rows.ts'

/** A JSON array, and the type of the column that its elements are read into. */
export interface JsonList {
  readonly value: Sql
  readonly target: Sql
}

export interface DocumentRows {
  readonly list: JsonList
  /** The value of column `index` in the row of an element. */
  readonly column: (element: Sql, index: number) => Sql
}

/** Undefined for any other call. */
export function documentRows(
  { args, function: { name } }: FunctionCall,
  context: PrintContext,
): DocumentRows | undefined {
  const [argument] = args
  if (argument === undefined || args.length !== 1) return undefined
  const letDocument = (body: (document: Sql) => Sql) =>
    letValues([namedDocument(argument, context)], context, canBind(argument), (name = nullSql) =>
      body(name),
    )
  const elements = (): JsonList => ({
    value: letDocument((document) => elementsOf(document, context)),
    target: sql`json`,
  })
  const keys = () =>
    keysOf(
      letDocument((document) => keyList(document, context)),
      context,
    )
  switch (name) {
    case 'json_array_elements':
    case 'jsonb_array_elements':
      return { list: elements(), column: (element) => ofServer(element, context) }
    case 'json_array_elements_text':
    case 'jsonb_array_elements_text':
      return {
        list: elements(),
        column: (element) => asText(element, context, true),
      }
    case 'jsonb_object_keys':
      return { list: keys(), column: (key) => key }
    case 'jsonb_each':
    case 'jsonb_each_text':
      return {
        list: keys(),
        column: (key, index) => {
          if (index === 0) return key
          const member = letDocument((document) => memberOf(document, key, context))
          return name === 'jsonb_each' ? ofServer(member, context) : asText(member, context, true)
        },
      }
    default:
      // A json document may have a key twice; the server returns only one of the members.
      return undefined
  }
}

function elementsOf(document: Sql, context: PrintContext): Sql {
  const list = asDocument(document, context)
  return sql`case ${jsonType(document, context)} when 'ARRAY' then ${list} else if(isnull(${document}), null, ${noList(context)}) end`
}

function keyList(document: Sql, context: PrintContext): Sql {
  const keys = sql`json_keys(${document})`
  return sql`case ${jsonType(document, context)} when 'OBJECT' then ${keys} else if(isnull(${document}), null, ${noList(context)}) end`
}

/** Fails. MySQL wants the type of every arm to be one of JSON. */
function noList(context: PrintContext): Sql {
  const failure = raiseState('22023')
  return context.traits.hasJsonType ? asDocument(sql`cast(${failure} as char)`, context) : failure
}

/** In the order of jsonb: shorter keys first. */
function keysOf(list: Sql, context: PrintContext): JsonList {
  const alias = aliasOf(context.nextId(), context)
  const key = sql`${alias}.k`
  const target = textColumn(context)
  // In the binary form of documents, keys have the order of jsonb.
  if (context.traits.hasJsonType) return { value: list, target }
  const order = sql`order by octet_length(${key}), ${key}`
  const table = sql`json_table(${list}, '$[*]' columns (k ${target} path '$')) as ${alias}`
  return {
    value: sql`(select json_arrayagg(${key} ${order}) from ${table})`,
    target,
  }
}
