/** @module Hearing what the engine does, for metrics and tracing: never what a statement says or who sent it. */
import type { ErrorCode } from '@engine/contract'
import type { PlanningCost } from '../../compiler/budget/planning-budget.ts'
import type { PlanEvent } from '../../compiler/plan/plan-event.ts'
import { GatewayError } from '../../foundation/errors.ts'

/** A stage of one statement. `plan` spans `parse` to `compile`; a statement whose plan is known has `execute` alone. */
export type StatementStage = 'plan' | 'parse' | 'bind' | 'authorize' | 'compile' | 'execute'

/** A stage that is over. */
export interface StageEvent {
  readonly stage: StatementStage
  /** undefined as long as the statement has not said. */
  readonly connection: string | undefined
  /** By `performance.now()`. */
  readonly startMs: number
  readonly endMs: number
  /** undefined when it succeeded. */
  readonly error: ErrorCode | undefined
  /** Of `plan`: what it took of its budget, see `withinPlanningBudget`. */
  readonly steps?: number
}

/** Called at the end of every stage, within the asynchronous context of its request. Does not throw. */
export type Observe = (event: StageEvent) => void

const stageOf: Readonly<Record<PlanEvent['kind'], StatementStage>> = {
  parsed: 'parse',
  bound: 'bind',
  authorized: 'authorize',
  compiled: 'compile',
}

/**
 * Times the making of a plan, and its stages by the `trace` that it is given.
 *
 * @param connection what is known of it by the end of a stage.
 */
export function observePlanning<T>(
  observe: Observe,
  connection: () => string | undefined,
  work: (trace: (event: PlanEvent) => void, onCost: (cost: PlanningCost) => void) => T,
): T {
  const begunMs = performance.now()
  let startMs = begunMs
  let steps: number | undefined
  const tell = (stage: StatementStage, fromMs: number, error?: unknown) => {
    const endMs = performance.now()
    const code = error === undefined ? undefined : codeOf(error)
    const counted = steps === undefined ? {} : { steps }
    observe({ stage, connection: connection(), startMs: fromMs, endMs, error: code, ...counted })
    startMs = endMs
  }
  try {
    const made = work(
      ({ kind }) => tell(stageOf[kind], startMs),
      (cost) => {
        steps = cost.steps
      },
    )
    tell('plan', begunMs)
    return made
  } catch (error) {
    tell('plan', begunMs, error)
    throw error
  }
}

/** Times what a database does. */
export function observeExecution<T>(
  observe: Observe | undefined,
  connection: string,
  work: () => Promise<T>,
): Promise<T> {
  return observe === undefined ? work() : observed(observe, connection, work)
}

async function observed<T>(
  observe: Observe,
  connection: string,
  work: () => Promise<T>,
): Promise<T> {
  const startMs = performance.now()
  const tell = (error: ErrorCode | undefined) =>
    observe({ stage: 'execute', connection, startMs, endMs: performance.now(), error })
  try {
    const result = await work()
    tell(undefined)
    return result
  } catch (error) {
    tell(codeOf(error))
    throw error
  }
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof GatewayError ? error.code : 'INTERNAL_ERROR'
}
