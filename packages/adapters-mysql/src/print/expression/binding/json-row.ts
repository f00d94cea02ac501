/** @module Named values as columns of JSON_TABLE: where a subquery in FROM does not see the columns around it. */
import { commaList, integer, keyword, type Sql, sql } from '@engine/core/print'
import { binaryCollation, type PrintContext } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { type NamedValue, typeOf } from './named-value.ts'

/** `json_table(json_array(a + b, c * d), '$' columns (x1 bigint path '$[0]', x2 bigint path '$[1]')) as v3` */
export function jsonRow(values: readonly NamedValue[], alias: Sql, context: PrintContext): Sql {
  const columns = values.map(
    ({ kind }, index) =>
      sql`${keyword(`x${index + 1}`)} ${typeOf(kind, context)} path '$[${integer(index)}]' error on error`,
  )
  const row = sql`json_array(${commaList(values.map((each) => itemOf(each, context)))})`
  return sql`json_table(coalesce(${row}, ${raiseState('54000')}), '$' columns (${commaList(columns)})) as ${alias}`
}

/** A document would be nested as a document: with a collation it is a text. */
function itemOf({ value, kind }: NamedValue, context: PrintContext): Sql {
  switch (kind) {
    case 'text':
    case 'document':
      return sql`(${value} collate ${binaryCollation(context)})`
    case 'bytes':
      return sql`hex(${value})`
    default:
      return value
  }
}
