/** @module Values while they are named, see `let-binding.ts`: their kinds, and their SQL types. */
import { integer, type Sql, sql } from '@engine/core/print'
import { type PrintContext, tableText } from '../../print-context.ts'

/** The kind of a named value. Intervals cannot be named. */
export type NamedKind =
  | 'text'
  /** JSON, in the server's own form where it has one. */
  | 'document'
  | 'bytes'
  | 'integer'
  | 'float'
  | 'double'
  | 'timestamp'
  | 'date'
  | 'time'
  | number

export interface NamedValue {
  readonly value: Sql
  /** A number: DECIMAL with this number of digits after the point. */
  readonly kind: NamedKind
}

/** The type of a column of JSON_TABLE. */
export function typeOf(kind: NamedKind, context: PrintContext): Sql {
  switch (kind) {
    case 'text':
    case 'document':
    case 'bytes':
      return tableText(context)
    case 'float':
      return sql`float`
    case 'integer':
      return sql`bigint`
    case 'double':
      return sql`double`
    case 'timestamp':
      return sql`datetime(6)`
    case 'date':
      return sql`date`
    case 'time':
      return sql`time(6)`
    default:
      return sql`decimal(65, ${integer(kind)})`
  }
}
