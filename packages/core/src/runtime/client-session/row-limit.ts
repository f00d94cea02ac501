/** @module How many rows a statement of a session may return. */

import type { Settings } from '../../config/settings/settings.ts'
import type { RowOverflow, SessionStatement } from './client-session.ts'

export function maxRowsOf({ maxRows }: SessionStatement, { limits }: Settings): number {
  return maxRows ?? limits.maxRows
}

export function overflowOf({ pgWire }: Settings): RowOverflow {
  return pgWire?.overflow ?? 'error'
}
