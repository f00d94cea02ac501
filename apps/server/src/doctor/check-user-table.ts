import { unfilledColumns } from '@engine/auth'
import type { Engine } from '@engine/core'
import { type Finding, warning } from './finding.ts'

/** Checks whether sign-up can create rows of the user table. */
export function checkUserTable(engine: Engine): readonly Finding[] {
  const { auth } = engine.settings
  if (auth?.userTable === undefined || !auth.signUp.enabled) return []
  const columns = unfilledColumns(auth.userTable, engine)
  if (columns.length === 0) return []
  return [
    warning(
      'auth.userTable.table',
      `sign-up cannot make rows: ${columns.join(', ')} need a value and get none (give them a default, or set auth.signUp.enabled to false)`,
    ),
  ]
}
