/** @module What a caller may know of what its database said: names that are visible to it, texts that quote no row. */

import {
  changedError,
  type DatabaseReport,
  GatewayError,
  type ToldFacts,
} from '../../../foundation/errors.ts'
import type { Written } from '../../catalog/possible-foreign-keys.ts'
import type { Access } from './access.ts'
import { type VisibleViolation, visibleViolation } from './visible-violation.ts'

/**
 * The error with what its caller may be told besides; anything else as it is.
 *
 * A failed check is told nothing: it answers alike whatever the database said before.
 *
 * @param written the one table that the statement writes.
 */
export function withToldFacts<Thrown>(error: Thrown, access: Access, written?: Written): Thrown
export function withToldFacts(error: unknown, access: Access, written?: Written): unknown {
  if (!(error instanceof GatewayError)) return error
  if (error.problem === 'checkFailed') return withoutToldFacts(error)
  const { report } = error
  const names = visibleViolation(error, access, written)
  if (report === undefined && names === undefined) return withoutToldFacts(error)
  return changedError(error, { told: factsOf(access, names, report) })
}

/** For a caller who may know of nothing. */
export function withoutToldFacts(error: GatewayError): GatewayError {
  return error.told === undefined ? error : changedError(error, { told: undefined })
}

function factsOf(
  { connection, isFull }: Access,
  names: VisibleViolation | undefined,
  report: DatabaseReport | undefined,
): ToldFacts {
  const database = report && toldReport(report, isFull)
  return { connection: connection.name, ...names, database }
}

/** Texts about values may quote cells that are hidden in a row which the caller may write. */
function toldReport(
  { code, text, detail, isAboutStatement }: DatabaseReport,
  isFull: boolean,
): NonNullable<ToldFacts['database']> {
  if (isFull) return detail === undefined ? { code, text } : { code, text, detail }
  return isAboutStatement ? { code, text } : { code }
}
