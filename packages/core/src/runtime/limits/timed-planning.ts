/** @module Planning with the clock of this process: limited in time, and counted in the planning turns. */
import {
  type PlanningOptions,
  withinPlanningBudget,
} from '../../compiler/budget/planning-budget.ts'
import { spendPlanning } from './planning-turns.ts'

/**
 * Runs `plan` with a budget of steps and time, and counts the time it takes; inside another such call, with the budget of that
 * call.
 *
 * @throws {GatewayError} as `withinPlanningBudget`.
 */
export function timedPlanning<T>(options: Omit<PlanningOptions, 'clock'>, plan: () => T): T {
  const clock = () => performance.now()
  const startMs = clock()
  return withinPlanningBudget(
    {
      ...options,
      clock,
      onEnd: (cost) => {
        spendPlanning(clock() - startMs)
        options.onEnd?.(cost)
      },
    },
    plan,
  )
}
