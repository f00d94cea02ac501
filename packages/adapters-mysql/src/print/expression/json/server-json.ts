/**
 * @module The server's JSON functions, as texts in the collation of expressions. Those of MySQL return utf8mb4_bin, which does not
 * mix with the collation of literals and parameters.
 */
import { type Sql, sql } from '@engine/core/print'
import { binaryCollation, call, type PrintContext } from '../../print-context.ts'

/** A text that one of the server's JSON functions returns. */
export function ofServer(text: Sql, context: PrintContext): Sql {
  return context.traits.hasJsonType ? sql`(${text} collate ${binaryCollation(context)})` : text
}

/** `OBJECT`, `ARRAY`, `STRING`, `BOOLEAN`, `NULL`, or a type of number. */
export function jsonType(document: Sql, context: PrintContext): Sql {
  return ofServer(call('json_type', document), context)
}

/** The part of a document at a path; NULL where there is none. */
export function jsonExtract(document: Sql, path: Sql, context: PrintContext): Sql {
  return ofServer(call('json_extract', document, path), context)
}

/** A text as a document in the server's own form; a document unchanged. */
export function asDocument(document: Sql, { traits }: PrintContext): Sql {
  return traits.hasJsonType ? sql`cast(${document} as json)` : document
}
