/** @module Events about the engine's work, for metrics and tracing: never the text of a statement or its caller. */
import type { ErrorCode } from '@engine/contract'
import type { PlanningCost } from '../../compiler/budget/planning-budget.ts'
import type { PlanEvent } from '../../compiler/plan/plan-event.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Steps } from '../../foundation/steps.ts'

/** A stage of one statement. `plan` spans `parse` to `compile`; a statement with a cached plan has `execute` alone. */
export type StatementStage = 'plan' | 'parse' | 'bind' | 'authorize' | 'compile' | 'execute'

/** A completed stage. */
export interface StageEvent {
  readonly stage: StatementStage
  /** undefined until the statement's connection is known. */
  readonly connection: string | undefined
  /** By `performance.now()`. */
  readonly startMs: number
  readonly endMs: number
  /** undefined when it succeeded. */
  readonly error: ErrorCode | undefined
  /** For `plan`: the part of its budget that it used, see `withinPlanningBudget`. */
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
 * Measures the time of a plan, pauses included, and of its stages with the `trace` that `work` receives.
 *
 * @param connection returns its name, if it is known at the end of a stage.
 */
export function* observePlanning<T>(
  observe: Observe,
  connection: () => string | undefined,
  work: (trace: (event: PlanEvent) => void, onCost: (cost: PlanningCost) => void) => Steps<T>,
): Steps<T> {
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
    const made = yield* work(
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

/** Measures the time of a database's work. */
export function observeExecution<T>(
  observe: Observe | undefined,
  connection: string,
  work: () => Promise<T>,
): Promise<T> {
  return observe === undefined ? work() : observed(observe, connection, work)
}

function observed<T>(observe: Observe, connection: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const tell = (error: ErrorCode | undefined) =>
    observe({ stage: 'execute', connection, startMs, endMs: performance.now(), error })
  return work().then(
    (result) => {
      tell(undefined)
      return result
    },
    (error: unknown) => {
      tell(codeOf(error))
      throw error
    },
  )
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof GatewayError ? error.code : 'INTERNAL_ERROR'
}
