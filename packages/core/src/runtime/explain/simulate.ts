/** @module Runs statements to find out what they would do: in one transaction, which is always rolled back. */
import type { Method } from '@engine/contract'
import type { Refusal } from '@engine/contract/admin-api'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { ResultSet } from '../adapter/adapter.ts'
import type { JsonBody } from '../execute/serialize.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { answer, type ReadyStatement, readyStatement, rowsWanted } from '../query/run-query.ts'
import { refusalFrom } from './refusal.ts'
import { retryWithFreshCatalog } from './retry-with-fresh-catalog.ts'

/** One statement and its caller. */
export interface SimulationStep {
  readonly sql: string
  /** `params[0]` is `$1`; JSON values. None by default. */
  readonly params?: readonly unknown[]
  /** Default `all`. */
  readonly method?: Method
  readonly caller: Caller
}

/** How a statement is simulated. */
export interface SimulateOptions {
  /** Aborted when the client no longer waits: the running statement is stopped and rolled back. */
  readonly signal?: AbortSignal
}

/** The answer that a statement would have given. */
export type Simulation =
  | {
      readonly outcome: 'answered'
      readonly status: 200
      /** The response body with `columns`, `rowCount` and `truncated`, JSON. */
      readonly body: JsonBody
      /** Rows in the answer, or rows written. */
      readonly rowCount: number
      readonly truncated: boolean
      readonly isWrite: boolean
    }
  | ({ readonly outcome: 'refused' } & Refusal)
  /** An earlier statement was refused: this one does not run. */
  | { readonly outcome: 'notRun' }

/** One statement: see `simulateSteps`. */
export async function simulateStep(
  step: SimulationStep,
  options: SimulateOptions,
  environment: QueryEnvironment,
): Promise<Simulation> {
  const [simulation] = await simulateSteps([step], options, environment)
  return simulation ?? { outcome: 'notRun' }
}

/**
 * Runs statements one after the other on one connection. Each sees the changes of those before it; all changes are rolled back.
 *
 * @returns one outcome for each step.
 */
export async function simulateSteps(
  steps: readonly SimulationStep[],
  options: SimulateOptions,
  environment: QueryEnvironment,
): Promise<readonly Simulation[]> {
  const { done, error } = await retryWithFreshCatalog(environment, async (touched) => {
    const { ready, error: unready } = await prepareSteps(steps, options, environment, touched)
    const run = await runAndUndo(ready, options, environment)
    return { done: run.done, error: run.error ?? unready }
  })
  return steps.map((_, i): Simulation => {
    const simulation = done[i]
    if (simulation !== undefined) return simulation
    return error !== undefined && i === done.length
      ? { outcome: 'refused', ...refusalFrom(error) }
      : { outcome: 'notRun' }
  })
}

/** A step that is ready to run. */
interface ReadyStep extends ReadyStatement {
  readonly method: Method
}

/** The steps up to the first that is refused before it could run. */
async function prepareSteps(
  steps: readonly SimulationStep[],
  { signal }: SimulateOptions,
  environment: QueryEnvironment,
  touched: Set<string>,
): Promise<{ readonly ready: readonly ReadyStep[]; readonly error: GatewayError | undefined }> {
  const snapshot = environment.snapshots.current()
  const ready: ReadyStep[] = []
  try {
    for (const { sql, params = [], method = 'all', caller } of steps) {
      const request = { sql, params, signal }
      const statement = await readyStatement(request, caller, environment, touched, snapshot)
      requireOneConnection(statement, ready[0])
      ready.push({ ...statement, method })
    }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { ready, error }
  }
  return { ready, error: undefined }
}

function requireOneConnection({ prepared }: ReadyStatement, first: ReadyStatement | undefined) {
  const { connection } = prepared.plan
  const before = first?.prepared.plan.connection ?? connection
  if (connection === before) return
  throw new GatewayError(
    'badRequest',
    `A simulation runs on one connection, not on "${before}" and "${connection}".`,
  )
}

interface Run {
  readonly done: readonly Simulation[]
  /** The error, reported for the step after the last completed one. */
  readonly error: GatewayError | undefined
}

async function runAndUndo(
  steps: readonly ReadyStep[],
  { signal }: SimulateOptions,
  { settings }: QueryEnvironment,
): Promise<Run> {
  const [first] = steps
  if (first === undefined) return { done: [], error: undefined }
  const limits = { timeoutMs: settings.limits.queryTimeoutMs, signal }
  const result = await first.prepared.adapter.runTogether(steps, {
    limits,
    isKept: false,
    run: async (step, send) =>
      simulationOf(step, await send({ ...rowsWanted(step.method, settings), ...limits })),
  })
  const { answers: done } = result
  if (result.kind === 'done') return { done, error: undefined }
  if (!(result.error instanceof GatewayError)) throw result.error
  return { done, error: result.error }
}

function simulationOf({ prepared, method }: ReadyStep, result: ResultSet): Simulation {
  const { isWrite } = prepared.plan.compiled
  const { body, rowCount, truncated } = answer(prepared, result, { method, meta: true })
  return { outcome: 'answered', status: 200, body, rowCount, truncated, isWrite }
}
