import type { ResultSet } from '../adapter/adapter.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import { cellRows } from './cell-rows.ts'
import type { SessionCursor } from './client-session.ts'

/** A cursor over rows that arrived all at once. */
export function bufferedCursor(
  result: ResultSet,
  description: StatementDescription,
): SessionCursor {
  let rows = cellRows(result.rows)
  return {
    description,
    fetch: async (count) => rows.next(count),
    truncated: () => result.truncated && rows.byteLength() === 0,
    bufferedBytes: rows.byteLength(),
    close: async () => {
      rows = cellRows('')
    },
  }
}
