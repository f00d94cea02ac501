/** @module Comments of tables and columns as TSDoc. */
import { commentText } from '../names/literal.ts'
import { type Column, placeOf, type Table } from './table-list.ts'

/** `/** A row of "orders" in the connection "main". What its owner wrote. *\/`; `before` is "A row of ". */
export function tableComment(table: Table, before = ''): string {
  return comment([`${before}${placeOf(table)}.`, table.comment])
}

/** The lines before a column: its comment and its domain, if it has any. */
export function columnComment(
  { comment: text, domain }: Column,
  indent: string,
): readonly string[] {
  const parts = [text, domain === undefined ? undefined : `Domain "${domain}".`]
  return parts.every((part) => part === undefined) ? [] : [indent + comment(parts)]
}

function comment(parts: readonly (string | undefined)[]): string {
  const sentences = parts.flatMap((part) => (part === undefined ? [] : commentText(part).trim()))
  return `/** ${sentences.filter((sentence) => sentence !== '').join(' ')} */`
}
