import { oids } from './oids.ts'
import type { RowField, SqlType } from './sql-type.ts'

/** The type `record` with these fields. */
export function recordOf(fields: readonly RowField[]): SqlType {
  return { oid: oids.record, typmod: -1, fields }
}
