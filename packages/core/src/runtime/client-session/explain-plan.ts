/** @module EXPLAIN of a session: the database's plan of a statement. */

import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import type { RowReceiver } from '../adapter/adapter.ts'
import type { GuardedSession } from '../guard/guarded-adapter.ts'
import type { TimeLimits } from '../guard/runnable.ts'
import { withSlot } from '../limits/with-slot.ts'
import {
  analyzedStatement,
  maxPlanLines,
  planLinesOf,
  requirePlans,
} from '../query/database-plan.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { placeOf, type ReadyStatement } from '../query/run-query.ts'
import type { OpenExecution, SessionStatement } from './client-session.ts'
import { runPlanned } from './run-planned.ts'
import { runReady } from './run-ready.ts'
import { hasFullRights, type SessionState } from './session-state.ts'
import type { ClientTransaction } from './session-transaction.ts'

/** See `ClientSession.explain`. */
export async function explainPlan(
  state: SessionState,
  statement: SessionStatement,
  execution: OpenExecution,
  options: PlanLineOptions,
): Promise<readonly string[]> {
  const { signal } = execution
  const explained = await runPlanned(
    state,
    statement,
    execution,
    async (ready, _plan, environment) => {
      requirePlans(ready.prepared.adapter, options, hasFullRights(state, environment))
      const linesOf = options.isAnalyzed === true ? analyze : askForPlan
      return { lines: await linesOf(state, environment, ready, signal, options), rowCount: 0 }
    },
  )
  return explained.lines
}

function askForPlan(
  { caller, origin, open }: SessionState,
  { concurrency, settings }: QueryEnvironment,
  ready: ReadyStatement,
  signal: AbortSignal | undefined,
  options: PlanLineOptions,
): Promise<readonly string[]> {
  const { queryTimeoutMs: timeoutMs } = settings.limits
  if (open?.transaction.isOn(ready.prepared.plan.connection) === true) {
    return askWithin(open.transaction, ready, { timeoutMs, signal }, options)
  }
  const place = placeOf(ready, caller, { origin })
  return withSlot(concurrency, place, { timeoutMs, signal }, (limits) =>
    planLinesOf(ready, limits, options),
  )
}

/** The statement does not run: it counts as a read, whatever it is. */
function askWithin(
  transaction: ClientTransaction,
  ready: ReadyStatement,
  limits: TimeLimits,
  options: PlanLineOptions,
): Promise<readonly string[]> {
  const { adapter, plan } = ready.prepared
  const { connection } = plan
  const place = { adapter, plan: { connection, compiled: { isWrite: false } }, isLasting: false }
  const work = (session: GuardedSession) => planLinesOf(ready, limits, options, session)
  return transaction.use(place, work, limits.signal)
}

/** Runs the statement: it counts as what it is, a read or a write. */
async function analyze(
  state: SessionState,
  environment: QueryEnvironment,
  ready: ReadyStatement,
  signal: AbortSignal | undefined,
  options: PlanLineOptions,
): Promise<readonly string[]> {
  const analyzed = analyzedStatement(ready, options)
  const lines: string[] = []
  const receiver: RowReceiver = {
    row: ([line]) => void lines.push(line ?? ''),
    hold: () => undefined,
  }
  const delivery = { receiver, maxRows: maxPlanLines, tooMany: undefined }
  await runReady(state, environment, analyzed, delivery, signal)
  return lines
}
