/** @module Operators that change a jsonb. */
import { keyword, type Sql, sql } from '@engine/core/print'
import { nullSql, type PrintContext, tableText } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { letValues } from '../binding/let-binding.ts'
import { keyPath } from './json-path.ts'
import { listArgument } from './json-table.ts'
import { jsonString, spacedJson } from './json-text.ts'
import { jsonExtract, jsonType, ofServer } from './server-json.ts'

function pair(
  one: Sql,
  other: Sql,
  kind: 'text' | 'integer',
  context: PrintContext,
  canBeNamed: boolean,
  body: (one: Sql, other: Sql) => Sql,
): Sql {
  const values = [
    { value: one, kind: 'text' },
    { value: other, kind },
  ] as const
  return letValues(values, context, canBeNamed, (left = nullSql, right = nullSql) =>
    body(left, right),
  )
}

/**
 * `document - 'key'`, which also removes strings from an array.
 *
 * @param ofNull the result of a key that is NULL: NULL, or the document for one of a list of keys
 */
export function withoutKey(
  document: Sql,
  key: Sql,
  context: PrintContext,
  canBeNamed: boolean,
  ofNull: 'null' | 'document' = 'null',
): Sql {
  return pair(document, key, 'text', context, canBeNamed, (name, text) => {
    const item = keyword(`j${context.nextId()}`)
    const value = jsonExtract(name, sql`concat('$[', ${item}.n - 1, ']')`, context)
    const isKept = sql`(${jsonType(value, context)} <> 'STRING' or cast(json_unquote(${value}) as char) <> ${text})`
    const rest = sql`(select concat('[', coalesce(group_concat(cast(${value} as char) order by ${item}.n separator ', '), ''), ']') from json_table(${listArgument(name, context)}, '$[*]' columns (n for ordinality)) as ${item} where ${isKept})`
    const type = jsonType(name, context)
    const removed = ofServer(sql`json_remove(${name}, ${keyPath(text)})`, context)
    const unchanged =
      ofNull === 'null'
        ? sql`isnull(${text}) then null`
        : sql`isnull(${text}) and ${type} in ('OBJECT', 'ARRAY') then ${ofServer(name, context)}`
    return sql`case when isnull(${name}) then null when ${unchanged} when ${type} = 'OBJECT' then ${removed} when ${type} = 'ARRAY' then ${rest} else ${raiseState('22023')} end`
  })
}

/** `document - index`, which counts from the end below 0. */
export function withoutIndex(
  document: Sql,
  index: Sql,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  return pair(document, index, 'integer', context, canBeNamed, (name, place) => {
    const at = sql`if(${place} < 0, json_length(${name}) + ${place}, ${place})`
    const removed = ofServer(sql`json_remove(${name}, concat('$[', ${at}, ']'))`, context)
    const rest = sql`if(${at} < 0 or ${at} >= json_length(${name}), ${ofServer(name, context)}, ${removed})`
    return sql`case when isnull(${place}) or isnull(${name}) then null when ${jsonType(name, context)} = 'ARRAY' then ${rest} else ${raiseState('22023')} end`
  })
}

/** `left || right`: objects are merged, the right one wins; all other documents become one array. */
export function joinedDocuments(
  left: Sql,
  right: Sql,
  context: PrintContext,
  canBeNamed: boolean,
): Sql {
  return pair(left, right, 'text', context, canBeNamed, (one, other) => {
    const areObjects = sql`${jsonType(one, context)} = 'OBJECT' and ${jsonType(other, context)} = 'OBJECT'`
    const united = sql`concat('{', concat_ws(', ', ${members(one, other, context)}, ${members(other, undefined, context)}), '}')`
    const listed = sql`concat('[', concat_ws(', ', ${items(one, context)}, ${items(other, context)}), ']')`
    return sql`case when isnull(${one}) or isnull(${other}) then null when ${areObjects} then ${united} else ${listed} end`
  })
}

/** Members whose keys the other object does not have, as text; NULL for none. */
function members(document: Sql, other: Sql | undefined, context: PrintContext): Sql {
  const alias = keyword(`j${context.nextId()}`)
  const path = keyPath(sql`${alias}.k`)
  const where =
    other === undefined ? sql`` : sql` where not json_contains_path(${other}, 'one', ${path})`
  return sql`(select group_concat(${jsonString(sql`${alias}.k`)}, ': ', cast(json_extract(${document}, ${path}) as char) separator ', ') from json_table(json_keys(${document}), '$[*]' columns (k ${tableText(context)} path '$')) as ${alias}${where})`
}

/** The text between the brackets of an array; any other document is one element. */
function items(document: Sql, context: PrintContext): Sql {
  const compact = spacedJson(document)
  return sql`if(${jsonType(document, context)} = 'ARRAY', nullif(substring(${compact}, 2, char_length(${compact}) - 2), ''), ${ofServer(document, context)})`
}
