/** @module The text of a jsonb: keys by length, then by bytes; blanks behind commas and colons. */
import { keyword, type Sql, sql } from '@engine/core'
import { keyPath } from './json-path.ts'
import { compactJson, jsonString } from './json-text.ts'
import { once } from './once.ts'
import { binaryCollation, nullSql, type PrintContext } from './print-context.ts'
import { raiseState } from './raise.ts'

/** Levels of objects and arrays inside each other; documents that are deeper are refused when they are met. */
const mostLevels = 4

export function jsonbText(document: Sql, context: PrintContext, isNameable: boolean): Sql {
  return once([{ value: document, kind: 'text' }], context, isNameable, (name = nullSql) =>
    level(name, context, mostLevels),
  )
}

/** `document` is short. */
function level(document: Sql, context: PrintContext, left: number): Sql {
  const collation = binaryCollation(context)
  const scalar = scalarText(document)
  if (left === 0) {
    return sql`case when json_type(${document}) in ('OBJECT', 'ARRAY') and json_length(${document}) > 0 then ${raiseState('0A000')} else ${scalar} end`
  }
  const item = keyword(`j${context.nextId()}`)
  const member = keyword(`j${context.nextId()}`)
  const value = sql`json_extract(${document}, ${keyPath(sql`${member}.k`)})`
  const members = sql`(select group_concat(${jsonString(sql`${member}.k`)}, ': ', ${once([{ value, kind: 'text' }], context, true, (name = nullSql) => level(name, context, left - 1))} order by octet_length(${member}.k), ${member}.k collate ${collation} separator ', ') from json_table(json_keys(${document}), '$[*]' columns (k longtext path '$')) as ${member})`
  const element = sql`json_extract(${document}, concat('$[', ${item}.n - 1, ']'))`
  const items = sql`(select group_concat(${once([{ value: element, kind: 'text' }], context, true, (name = nullSql) => level(name, context, left - 1))} order by ${item}.n separator ', ') from json_table(${document}, '$[*]' columns (n for ordinality)) as ${item})`
  return sql`(case json_type(${document}) when 'OBJECT' then concat('{', coalesce(${members}, ''), '}') when 'ARRAY' then concat('[', coalesce(${items}, ''), ']') else ${scalar} end collate ${collation})`
}

/** Strings without needless escapes. Numbers with an exponent, which PostgreSQL spells out, are refused. */
function scalarText(document: Sql): Sql {
  const text = compactJson(document)
  return sql`case when json_type(${document}) = 'STRING' then ${jsonString(sql`json_unquote(${document})`)} when json_type(${document}) = 'DOUBLE' and ${text} regexp '[eE]' then ${raiseState('0A000')} else ${text} end`
}
