/**
 * @module The budget for planning one statement. Every stage charges its steps here before it does them: a node of a bound tree
 * that is visited or built is one step, a fragment of SQL one, a piece of the finished text one.
 *
 * The budget belongs to the running call of `withinPlanningBudget`. It is not an argument: nodes and fragments are made in some
 * hundred functions, and a function that did not pass it on would have no limit. A plan that pauses takes its budget with it
 * (`stepsWithinPlanningBudget`), so that two plans never share one.
 */
import { GatewayError } from '../../foundation/errors.ts'
import type { Steps } from '../../foundation/steps.ts'

/** Steps that every statement may take, plus steps for each node of its syntax tree: long lists of values are legitimate. */
export const planningSteps = { base: 150_000, perNode: 60 } as const

/** Time that planning may take, whatever the number of steps. */
export const mostPlanningMs = 10_000

/** The clock is read once in this number of steps. */
const stepsBetweenReadings = 8_192

export interface PlanningOptions {
  /** Nodes of the syntax tree, if already known; see `allowPlanning`. */
  readonly nodes?: number | undefined
  /** Milliseconds of any origin; never goes backwards. Without a clock there is no time limit. */
  readonly clock?: (() => number) | undefined
  /** Called at the end, also after a refusal. */
  readonly onEnd?: (cost: PlanningCost) => void
}

export interface PlanningCost {
  readonly steps: number
}

interface Meter {
  mostSteps: number
  readonly clock: (() => number) | undefined
  /** By the clock; moved on by the length of each pause. */
  endsAtMs: number
  steps: number
  nextReading: number
}

let meter: Meter | undefined

/**
 * Runs `plan` with a budget of its own; inside another such call, with the budget of that call.
 *
 * @throws {GatewayError} `limitExceeded` (400, 54001) when the steps or the stack are used up; `queryTimeout` (408) when the time
 *   is used up.
 */
export function withinPlanningBudget<T>(options: PlanningOptions, plan: () => T): T {
  if (meter !== undefined) return plan()
  const own = createMeter(options)
  try {
    return metered(own, plan)
  } finally {
    options.onEnd?.({ steps: own.steps })
  }
}

/** The same for a plan that may pause: the time of its pauses does not count. */
export function* stepsWithinPlanningBudget<T>(
  options: PlanningOptions,
  plan: () => Steps<T>,
): Steps<T> {
  if (meter !== undefined) return yield* plan()
  const { clock } = options
  const own = createMeter(options)
  const steps = plan()
  try {
    for (;;) {
      const step = metered(own, () => steps.next())
      if (step.done === true) return step.value
      const pausedAtMs = clock?.() ?? 0
      try {
        yield
      } catch (error) {
        // The client has gone away: the plan ends where it paused.
        steps.throw(error)
        throw error
      }
      own.endsAtMs += (clock?.() ?? 0) - pausedAtMs
    }
  } finally {
    options.onEnd?.({ steps: own.steps })
  }
}

function createMeter({ nodes = 0, clock }: PlanningOptions): Meter {
  return {
    mostSteps: planningSteps.base + planningSteps.perNode * nodes,
    clock,
    endsAtMs: clock === undefined ? Number.POSITIVE_INFINITY : clock() + mostPlanningMs,
    steps: 0,
    nextReading: stepsBetweenReadings,
  }
}

function metered<T>(own: Meter, work: () => T): T {
  meter = own
  try {
    return work()
  } catch (error) {
    throw error instanceof RangeError ? tooDeep(error) : error
  } finally {
    meter = undefined
  }
}

/** Adds the work that a syntax tree with this number of nodes may need. */
export function allowPlanning(nodes: number): void {
  if (meter !== undefined) meter.mostSteps += planningSteps.perNode * nodes
}

/** Takes steps off the budget before they are done. Without effect outside of `withinPlanningBudget`. */
export function chargePlanning(steps: number): void {
  if (meter === undefined) return
  meter.steps += steps
  if (meter.steps > meter.mostSteps) throw tooLarge(meter.mostSteps)
  if (meter.steps < meter.nextReading) return
  meter.nextReading = meter.steps + stepsBetweenReadings
  if (meter.clock !== undefined && meter.clock() > meter.endsAtMs) throw tooSlow()
}

/**
 * Refuses a size that the whole budget could not build: a fragment that is shared many times takes few steps to make, and very
 * many to print.
 */
export function requirePlannable(size: number): void {
  const most = meter?.mostSteps ?? mostStepsOfAny
  if (size > most) throw tooLarge(most)
}

/** The budget of the largest syntax tree. */
const mostStepsOfAny = planningSteps.base + planningSteps.perNode * 500_000

function tooLarge(allowed: number): GatewayError {
  return new GatewayError(
    'limitExceeded',
    'The statement is too complex: what it stands for is too large to be planned. Divide it into several statements.',
    { sqlState: '54001', details: { limit: 'planning steps', allowed } },
  )
}

/** The error for an exhausted stack, or for a string or list longer than the runtime allows. */
function tooDeep(cause: RangeError): GatewayError {
  return new GatewayError(
    'limitExceeded',
    'The statement is too complex: it is nested too deeply to be planned. Divide it into several statements.',
    { sqlState: '54001', cause },
  )
}

function tooSlow(): GatewayError {
  return new GatewayError(
    'queryTimeout',
    `The statement is too complex: it could not be planned within ${mostPlanningMs} ms.`,
    { sqlState: '57014', details: { limit: 'planning time', allowedMs: mostPlanningMs } },
  )
}
