/** @module Describes a statement of a session: its plan is made, and nothing runs. */

import { GatewayError } from '../../foundation/errors.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import { originOf, recordDenial } from '../query/audited-statements.ts'
import { withFreshCatalog } from '../query/with-fresh-catalog.ts'
import type { SessionStatement } from './client-session.ts'
import { environmentOf, isHolding, type SessionState } from './session-state.ts'

/** See `ClientSession.describe`. The audit has an entry for what was denied only. */
export async function describeStatement(
  state: SessionState,
  statement: SessionStatement,
  signal: AbortSignal | undefined,
): Promise<StatementDescription> {
  const { caller, origin, options } = state
  const touched = new Set<string>()
  const environment = environmentOf(state)
  const { audit, uses } = environment
  uses.begin()
  try {
    const attempt = async () => {
      const plan = await options.plans.planOf(statement, caller, environment, touched, signal)
      return plan.description
    }
    return await withFreshCatalog(environment, touched, attempt, {
      isHolding: () => isHolding(state),
    })
  } catch (error) {
    if (audit !== undefined && error instanceof GatewayError) {
      const sql = statement.shownSql ?? statement.sql
      await recordDenial(audit, error, { origin: originOf(origin, caller), sql })
    }
    throw error
  } finally {
    uses.end()
  }
}
