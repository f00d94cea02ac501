/** @module The answer to MERGE. */

import { cteName, integer, joinSql, type Sql, sql } from '@engine/core/print'
import type { CountedWrites, CteId } from '@engine/core/tree'

/** The number of rows that the writes in WITH have changed. */
export function countOf({ writes, matches }: CountedWrites): Sql {
  const counts = writes.map((id) => rowsIn(id))
  const all = matches === undefined ? counts : [refusedWhenMore(matches), ...counts]
  return all.length === 0 ? integer(0) : joinSql(all, ' + ')
}

/** 0, or SQLSTATE 21000: a subquery with two rows where one is allowed. */
function refusedWhenMore({ pairs, rows }: NonNullable<CountedWrites['matches']>): Sql {
  const isMore = sql`${rowsIn(pairs)} > ${rowsIn(rows)}`
  return sql`(select 0 from pg_catalog.generate_series(1, case when ${isMore} then 2 else 1 end))`
}

function rowsIn(id: CteId): Sql {
  return sql`(select pg_catalog.count(*) from ${cteName(id)})`
}
