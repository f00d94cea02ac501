/** @module Planning with the clock of this process: limited in time, and counted in the planning turns. */
import {
  type PlanningOptions,
  stepsWithinPlanningBudget,
  withinPlanningBudget,
} from '../../compiler/budget/planning-budget.ts'
import type { Steps } from '../../foundation/steps.ts'
import { spendPlanning } from './planning-turns.ts'

type TimedOptions = Omit<PlanningOptions, 'clock'>

const clock = () => performance.now()

/**
 * Runs `plan` with a budget of steps and time, and counts the time it takes; inside another such call, with the budget of that
 * call.
 *
 * @throws {GatewayError} as `withinPlanningBudget`.
 */
export function timedPlanning<T>(options: TimedOptions, plan: () => T): T {
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

/** The same for a plan that may pause. Its turns (`inPlanningTurns`) count the time. */
export function timedSteps<T>(options: TimedOptions, plan: () => Steps<T>): Steps<T> {
  return stepsWithinPlanningBudget({ ...options, clock }, plan)
}
