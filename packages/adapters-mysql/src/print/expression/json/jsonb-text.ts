/** @module Rewrites documents: as jsonb prints them, or without members that are null. */
import { keyword, type Sql, sql } from '@engine/core/print'
import { binaryCollation, nullSql, type PrintContext, tableText } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { letValues } from '../binding/let-binding.ts'
import { parsedText } from './json-numbers.ts'
import { keyPath } from './json-path.ts'
import { listArgument } from './json-table.ts'
import { jsonString, spacedJson } from './json-text.ts'
import { jsonExtract, jsonType } from './server-json.ts'

/** The most levels of nested objects and arrays; deeper documents are refused at run time. */
const mostLevels = 4

interface Style {
  /** Keys by length, then by bytes, and blanks after commas and colons: as jsonb is printed. */
  readonly isCanonical: boolean
  /** Members that are null are left out. */
  readonly isStripped: boolean
}

export function jsonbText(document: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  if (context.traits.hasJsonType) return parsedText(document, context, canBeNamed)
  return written(document, context, canBeNamed, { isCanonical: true, isStripped: false })
}

export function withoutNulls(document: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return written(document, context, canBeNamed, { isCanonical: false, isStripped: true })
}

function written(document: Sql, context: PrintContext, canBeNamed: boolean, style: Style): Sql {
  return letValues([{ value: document, kind: 'text' }], context, canBeNamed, (name = nullSql) =>
    level(name, context, style, mostLevels),
  )
}

/**
 * `document` is short. If an object has a key several times, the server sees the first member only: such documents are refused.
 */
function level(document: Sql, context: PrintContext, style: Style, left: number): Sql {
  const collation = binaryCollation(context)
  const scalar = scalarText(document, style, context)
  const type = jsonType(document, context)
  if (left === 0) {
    return sql`case when ${type} in ('OBJECT', 'ARRAY') and json_length(${document}) > 0 then ${raiseState('0A000')} else ${scalar} end`
  }
  const item = keyword(`j${context.nextId()}`)
  const member = keyword(`j${context.nextId()}`)
  const below = (value: Sql) =>
    letValues([{ value, kind: 'text' }], context, true, (name = nullSql) =>
      level(name, context, style, left - 1),
    )
  const value = jsonExtract(document, keyPath(sql`${member}.k`), context)
  const key = jsonString(sql`${member}.k`)
  const isKept = style.isStripped ? sql` where ${jsonType(value, context)} <> 'NULL'` : sql``
  const keys = sql`json_table(json_keys(${document}), '$[*]' columns (n for ordinality, k ${tableText(context)} path '$')) as ${member}`
  const members = style.isCanonical
    ? sql`(select group_concat(${key}, ': ', ${below(value)} order by octet_length(${member}.k), ${member}.k collate ${collation} separator ', ') from ${keys})`
    : sql`(select group_concat(${key}, ':', ${below(value)} order by ${member}.n separator ',') from ${keys}${isKept})`
  const element = below(jsonExtract(document, sql`concat('$[', ${item}.n - 1, ']')`, context))
  const separator = style.isCanonical ? sql`', '` : sql`','`
  const items = sql`(select group_concat(${element} order by ${item}.n separator ${separator}) from json_table(${listArgument(document, context)}, '$[*]' columns (n for ordinality)) as ${item})`
  return sql`(case ${type} when 'OBJECT' then if(json_length(${document}) <> json_length(json_keys(${document})), cast(${raiseState('0A000')} as char), concat('{', coalesce(${members}, ''), '}')) when 'ARRAY' then concat('[', coalesce(${items}, ''), ']') else ${scalar} end collate ${collation})`
}

/** Strings without needless escapes. Numbers with an exponent, which PostgreSQL spells out, are refused. */
function scalarText(document: Sql, { isCanonical }: Style, context: PrintContext): Sql {
  const text = spacedJson(document)
  if (!isCanonical) return text
  const string = jsonString(sql`json_unquote(${document})`)
  const type = jsonType(document, context)
  return sql`case when ${type} = 'STRING' then ${string} when ${type} = 'DOUBLE' and ${text} regexp '[eE]' then ${raiseState('0A000')} else ${text} end`
}
