/** @module What a caller may know of what its database said: names that are visible to it, texts that quote no row. */

import {
  changedError,
  type DatabaseReport,
  GatewayError,
  type ReportedFacts,
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
export function withReportedFacts<Thrown>(error: Thrown, access: Access, written?: Written): Thrown
export function withReportedFacts(error: unknown, access: Access, written?: Written): unknown {
  if (!(error instanceof GatewayError)) return error
  if (error.problem === 'checkFailed') return withoutReportedFacts(error)
  const { report } = error
  const names = visibleViolation(error, access, written)
  if (report === undefined && names === undefined) return withoutReportedFacts(error)
  return changedError(error, { reportedFacts: factsOf(access, names, report) })
}

/** For a caller who may know of nothing. */
export function withoutReportedFacts(error: GatewayError): GatewayError {
  return error.reportedFacts === undefined ? error : changedError(error, { reportedFacts: undefined })
}

function factsOf(
  { connection, isFull }: Access,
  names: VisibleViolation | undefined,
  report: DatabaseReport | undefined,
): ReportedFacts {
  const database = report && visibleReport(report, isFull)
  return { connection: connection.name, ...names, database }
}

/** Texts about values may quote cells that are hidden in a row which the caller may write. */
function visibleReport(
  { code, text, detail, isAboutStatement }: DatabaseReport,
  isFull: boolean,
): NonNullable<ReportedFacts['database']> {
  if (isFull) return detail === undefined ? { code, text } : { code, text, detail }
  return isAboutStatement ? { code, text } : { code }
}
