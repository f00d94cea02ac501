/** @module Texts that the server's JSON functions return. They have a collation of their own; a cast gives them the usual one. */
import { type Sql, sql } from '@engine/core/print'
import { binaryCollation, type PrintContext } from '../../print-context.ts'
import { comparableText } from './json-numbers.ts'

/** A text as a JSON string. */
export function jsonString(text: Sql): Sql {
  return sql`cast(json_quote(${text}) as char)`
}

/** With the server's own blanks, regardless of those in the text. */
export function spacedJson(document: Sql): Sql {
  return sql`cast(json_extract(${document}, '$') as char)`
}

/** The same text for equal documents. */
export function normalJson(document: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return context.traits.hasJsonType
    ? sql`(${comparableText(document, context, canBeNamed)} collate ${binaryCollation(context)})`
    : sql`(json_normalize(${document}) collate ${binaryCollation(context)})`
}

export function isSameJson(one: Sql, other: Sql, context: PrintContext): Sql {
  return context.traits.hasJsonType
    ? sql`(cast(${one} as json) = cast(${other} as json))`
    : sql`json_equals(${one}, ${other})`
}
