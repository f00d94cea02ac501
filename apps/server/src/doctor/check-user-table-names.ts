import { requireUserTable } from '@engine/auth'
import { type Engine, GatewayError } from '@engine/core'
import type { Fault } from '@engine/core/server'
import { type Finding, fault } from './finding.ts'

/** Checks that the user table and its columns are there, where its database was reached. */
export function checkUserTableNames(engine: Engine): readonly Finding[] {
  const { auth } = engine.settings
  if (auth?.userTable === undefined) return []
  try {
    requireUserTable(auth.userTable, engine)
    return []
  } catch (error) {
    const faults = error instanceof GatewayError ? error.details?.['faults'] : undefined
    if (!Array.isArray(faults)) throw error
    return faults.map(({ path, message }: Fault) => fault(path, message))
  }
}
