/** @module Elements and members of JSON documents, as rows. */
import { type FunctionCall, type Sql, sql } from '@engine/core'
import { asText, memberOf } from './json-operators.ts'
import { textColumn } from './json-rows.ts'
import { aliasOf, type PrintContext, print } from './print-context.ts'
import { raiseState } from './raise.ts'

/** A JSON array, and the type of the column that its elements are read into. */
export interface JsonList {
  readonly value: Sql
  readonly target: Sql
}

export interface DocumentRows {
  readonly list: JsonList
  /** What stands in column `index` of the row of an element. */
  readonly column: (element: Sql, index: number) => Sql
}

/** Undefined where the call is none of these. */
export function documentRows(
  { args, function: { name } }: FunctionCall,
  context: PrintContext,
): DocumentRows | undefined {
  const [argument] = args
  if (argument === undefined || args.length !== 1) return undefined
  const document = print(argument, context)
  switch (name) {
    case 'json_array_elements':
    case 'jsonb_array_elements':
      return { list: elements(document), column: (element) => element }
    case 'json_array_elements_text':
    case 'jsonb_array_elements_text':
      return { list: elements(document), column: (element) => asText(element, context, true) }
    case 'jsonb_object_keys':
      return { list: keys(document, context), column: (key) => key }
    case 'jsonb_each':
    case 'jsonb_each_text':
      return {
        list: keys(document, context),
        column: (key, index) => {
          if (index === 0) return key
          const member = memberOf(document, key)
          return name === 'jsonb_each' ? member : asText(member, context, true)
        },
      }
    default:
      // A document of json may have a key twice, which the server does not tell.
      return undefined
  }
}

function elements(document: Sql): JsonList {
  const value = sql`case json_type(${document}) when 'ARRAY' then ${document} else if(isnull(${document}), null, ${raiseState('22023')}) end`
  return { value, target: sql`json` }
}

/** In the order of jsonb: shorter ones first. */
function keys(document: Sql, context: PrintContext): JsonList {
  const alias = aliasOf(context.nextId(), context)
  const key = sql`${alias}.k`
  const list = sql`case json_type(${document}) when 'OBJECT' then json_keys(${document}) else if(isnull(${document}), null, ${raiseState('22023')}) end`
  const order = sql`order by octet_length(${key}), ${key}`
  const table = sql`json_table(${list}, '$[*]' columns (k ${textColumn(context)} path '$')) as ${alias}`
  return {
    value: sql`(select json_arrayagg(${key} ${order}) from ${table})`,
    target: textColumn(context),
  }
}
