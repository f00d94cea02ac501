import type { Cells, Cursor } from '../adapter/adapter.ts'
import type { GuardedSession } from '../guard/guarded-adapter.ts'
import { tooManyRowsInPieces } from '../guard/row-overflow.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import type { RowOverflow, SessionCursor } from './client-session.ts'

export interface NativeCursorOptions {
  readonly description: StatementDescription
  readonly maxRows: number
  readonly overflow: RowOverflow
  /** Runs `work` in the cursor's transaction, alone. */
  readonly use: <T>(work: (session: GuardedSession) => Promise<T>) => Promise<T>
}

/** A cursor of the database, limited to `maxRows`. The query itself returns at most one row more. */
export function nativeCursor(
  cursor: Cursor,
  { description, maxRows, overflow, use }: NativeCursorOptions,
): SessionCursor {
  let given = 0
  let isTruncated = false
  return {
    description,
    fetch: async (count): Promise<readonly Cells[]> => {
      if (count <= 0) return []
      const left = maxRows - given
      // One row more than is returned: it distinguishes a cut result from a complete one.
      const isLast = overflow === 'cut' ? count >= left : count > left
      const rows = await use(() => cursor.fetch(isLast ? left + 1 : count))
      if (rows.length > left) {
        if (overflow === 'error') throw tooManyRowsInPieces(maxRows)
        isTruncated = true
      }
      const kept = rows.length > left ? rows.slice(0, left) : rows
      given += kept.length
      return kept
    },
    truncated: () => isTruncated,
    bufferedBytes: 0,
    close: () => use(() => cursor.close()),
  }
}
