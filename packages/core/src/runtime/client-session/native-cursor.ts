import type { Cells, Cursor } from '../adapter/adapter.ts'
import type { GuardedSession } from '../guard/guarded-adapter.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import type { SessionCursor } from './client-session.ts'

export interface NativeCursorOptions {
  readonly description: StatementDescription
  readonly maxRows: number
  /** Runs `work` in the cursor's transaction, alone. */
  readonly use: <T>(work: (session: GuardedSession) => Promise<T>) => Promise<T>
}

/** A cursor of the database, limited to `limits.maxRows`. The query itself returns at most one row more. */
export function nativeCursor(
  cursor: Cursor,
  { description, maxRows, use }: NativeCursorOptions,
): SessionCursor {
  let given = 0
  let isTruncated = false
  return {
    description,
    fetch: async (count): Promise<readonly Cells[]> => {
      if (count <= 0) return []
      const left = maxRows - given
      // One row more than is returned: it distinguishes a cut result from a complete one.
      const wanted = count >= left ? left + 1 : count
      const rows = await use(() => cursor.fetch(wanted))
      if (rows.length > left) isTruncated = true
      const kept = rows.length > left ? rows.slice(0, left) : rows
      given += kept.length
      return kept
    },
    truncated: () => isTruncated,
    close: () => use(() => cursor.close()),
  }
}
