/** @module Statements of a session, each with its entry in the audit. */

import type { RequestOrigin } from '../../foundation/audit-event.ts'
import type { Cells } from '../adapter/adapter.ts'
import { auditedQuery, type RunStatement } from '../query/audited-statements.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import type { OpenExecution, SessionStatement, SleepRequest } from './client-session.ts'
import type { SessionState } from './session-state.ts'

/** A statement of a session, for the audit. */
export interface SessionRequest {
  readonly sql: string
  readonly params: Cells
  readonly origin: RequestOrigin
}

/** Runs a statement with an entry in the audit, where there is an audit. */
export function audited<Answer extends { readonly rowCount: number }>(
  { caller, origin }: SessionState,
  { audit }: QueryEnvironment,
  { sql, shownSql = sql }: SessionStatement,
  { params, correlationId = origin.correlationId }: OpenExecution,
  run: RunStatement<SessionRequest, Answer>,
): Promise<Answer> {
  if (audit === undefined) return run({ sql, params, origin }, caller)
  const request = { sql: shownSql, params, origin: { ...origin, correlationId } }
  return auditedQuery(run, audit)(request, caller)
}

/** The same for statements of which the audit needs the text alone. */
export function auditedText<Answer extends { readonly rowCount: number }>(
  state: SessionState,
  environment: QueryEnvironment,
  { sql, signal, correlationId }: SleepRequest,
  run: RunStatement<SessionRequest, Answer>,
): Promise<Answer> {
  const statement = { sql, parameterOids: [], searchPath: [] }
  return audited(state, environment, statement, { params: [], signal, correlationId }, run)
}
