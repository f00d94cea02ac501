/** @module Parts of documents, in the server's own form: `ofServer` makes texts of them. */
import { type Sql, sql } from '@engine/core/print'
import { binaryCollation, call, nullSql, type PrintContext } from '../../print-context.ts'
import { letValues } from '../binding/let-binding.ts'
import { keyPath } from './json-path.ts'
import { asDocument, jsonType } from './server-json.ts'

/** Null as text is NULL, a string its content, any other value its JSON. */
export function asText(found: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return letValues([{ value: found, kind: 'document' }], context, canBeNamed, (name = nullSql) => {
    const text = sql`if(${jsonType(name, context)} = 'NULL', null, json_unquote(${name}))`
    return sql`(${text} collate ${binaryCollation(context)})`
  })
}

/** `document -> 'key'` */
export function memberOf(document: Sql, key: Sql, context: PrintContext): Sql {
  const member = call('json_extract', document, keyPath(key))
  return sql`if(${jsonType(document, context)} = 'OBJECT', ${member}, null)`
}

/** `document -> index`, from 0, or from the end below 0. */
export function itemOf(
  document: Sql,
  index: Sql,
  isScalarItem: boolean,
  context: PrintContext,
): Sql {
  const type = jsonType(document, context)
  const place = sql`if(${index} < 0, json_length(${document}) + ${index}, ${index})`
  const found = call('json_extract', document, sql`concat('$[', ${place}, ']')`)
  const item = sql`if(${type} = 'ARRAY' and ${place} >= 0, ${found}, null)`
  // A scalar of jsonb counts as an array of one.
  return isScalarItem
    ? sql`if(${type} not in ('ARRAY', 'OBJECT') and ${index} in (0, -1), ${asDocument(document, context)}, ${item})`
    : item
}

/** `stepOf` for a document that may be long. */
export function stepFrom(
  document: Sql,
  step: Sql,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  const values = [
    { value: document, kind: 'document' },
    { value: step, kind: 'text' },
  ] as const
  return letValues(values, context, canBeNamed, (name = nullSql, text = nullSql) =>
    stepOf(name, text, context),
  )
}

/** One step of a path of texts: a key of an object, or an index in an array. */
function stepOf(document: Sql, step: Sql, context: PrintContext): Sql {
  const index = sql`if(${step} regexp '^-?[0-9]{1,9}$', cast(${step} as signed), null)`
  const [member, item] = [
    memberOf(document, step, context),
    itemOf(document, index, false, context),
  ]
  return sql`case ${jsonType(document, context)} when 'OBJECT' then ${member} when 'ARRAY' then ${item} end`
}
