/**
 * @module The primary key that MySQL adds to a table without one where `sql_generate_invisible_primary_key` is on. It is no column
 * for clients, as `select *` does not show it; rows are found by it.
 */

import type { ColumnRow } from './catalog-queries.ts'
import { generatedKeyName } from './native-column.ts'

export function isGeneratedKey({ name, columnType, extra }: ColumnRow): boolean {
  return (
    name === generatedKeyName &&
    columnType === 'bigint unsigned' &&
    /\bauto_increment\b/i.test(extra) &&
    /\binvisible\b/i.test(extra)
  )
}
