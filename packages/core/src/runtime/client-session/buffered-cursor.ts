import type { ResultSet } from '../adapter/adapter.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import type { SessionCursor } from './client-session.ts'
import { cellsOf } from './deliver-rows.ts'

/** A cursor over rows that arrived all at once: at most `limits.maxRows`. */
export function bufferedCursor(
  result: ResultSet,
  description: StatementDescription,
): SessionCursor {
  let rows = cellsOf(result.rows)
  return {
    description,
    fetch: async (count) => {
      const taken = rows.slice(0, count)
      rows = rows.slice(count)
      return taken
    },
    truncated: () => result.truncated && rows.length === 0,
    close: async () => {
      rows = []
    },
  }
}
