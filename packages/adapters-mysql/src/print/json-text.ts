/** @module Texts that the server's JSON functions make. They have a collation of their own; a cast gives them the usual one. */
import { type Sql, sql } from '@engine/core'

/** A text as a JSON string. */
export function jsonString(text: Sql): Sql {
  return sql`cast(json_quote(${text}) as char)`
}

/** Without blanks. */
export function compactJson(document: Sql): Sql {
  return sql`cast(json_compact(${document}) as char)`
}
