/** @module The facts of a database error that its caller may know: names that are visible to it, texts that quote no row. */

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
 * Adds to a `GatewayError` the facts that its caller may know; returns any other value unchanged.
 *
 * A failed check gets no facts: its error is the same whatever the database reported.
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

/** Removes the facts, for callers who may know none of them. */
export function withoutReportedFacts(error: GatewayError): GatewayError {
  return error.reportedFacts === undefined
    ? error
    : changedError(error, { reportedFacts: undefined })
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
