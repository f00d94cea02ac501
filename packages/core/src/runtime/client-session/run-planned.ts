/** @module Finds the plan of a statement and runs it, once more where the catalog had changed. */

import { finishing } from '../../foundation/finishing.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import type { ReadyStatement } from '../query/run-query.ts'
import { withFreshCatalog } from '../query/with-fresh-catalog.ts'
import { audited } from './audited-work.ts'
import type { OpenExecution, SessionStatement } from './client-session.ts'
import type { SessionPlan } from './session-plans.ts'
import { environmentOf, isHolding, type SessionState } from './session-state.ts'

type RunPlan<Answer> = (
  ready: ReadyStatement,
  plan: SessionPlan,
  environment: QueryEnvironment,
) => Promise<Answer>

/** @param hasRows the client has got rows of the statement, so that it cannot run once more. */
export function runPlanned<Answer extends { readonly rowCount: number }>(
  state: SessionState,
  statement: SessionStatement,
  execution: OpenExecution,
  run: RunPlan<Answer>,
  hasRows: () => boolean = () => false,
): Promise<Answer> {
  const environment = environmentOf(state)
  return audited(
    state,
    environment,
    statement,
    execution,
    (_request, _caller, touched = new Set<string>()) => {
      const { plans } = state.options
      let isSent = false
      const runPlan = (plan: SessionPlan): Promise<Answer> => {
        const ready = plans.ready(plan, execution, environment, state.open?.startedAtMs)
        isSent = true
        return run(ready, plan, environment).then((answer) => {
          state.last = plan.prepared
          return answer
        })
      }
      const attempt = (): Promise<Answer> => {
        const { signal } = execution
        const plan = plans.planOf(statement, state.caller, environment, touched, signal)
        return plan instanceof Promise ? plan.then(runPlan) : runPlan(plan)
      }
      // A failed statement ends its transaction.
      const mayRepeat = () => !isSent || (state.open === undefined && !hasRows())
      environment.uses.begin()
      return finishing(
        () =>
          withFreshCatalog(environment, touched, attempt, {
            mayRepeat,
            isHolding: () => isHolding(state),
          }),
        () => environment.uses.end(),
      )
    },
  )
}
