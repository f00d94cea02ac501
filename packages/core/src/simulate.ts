/** @module Statements run to see what they would do: in one transaction, which is rolled back whatever happens. */
import type { Method } from '@engine/contract'
import type { IsolationLevel, ResultSet, Session } from './adapter.ts'
import type { Caller } from './caller.ts'
import { GatewayError } from './errors.ts'
import type { JsonBody } from './execute/serialize.ts'
import type { Refusal } from './explain/explanation.ts'
import { refusalFrom } from './explain/refusal.ts'
import { settledAfresh } from './explain/settled-afresh.ts'
import {
  answer,
  type QueryEnvironment,
  type ReadyStatement,
  readyStatement,
  rowsWanted,
} from './run-query.ts'
import { inOneState } from './run-write.ts'
import {
  isSerializationFailure,
  judgeBefore,
  judgeFailure,
  requireProposals,
  type Send,
} from './write-judgement.ts'

/** One statement and who sends it. */
export interface SimulationStep {
  readonly sql: string
  /** `params[0]` is `$1`; JSON values. None by default. */
  readonly params?: readonly unknown[]
  /** Default `all`. */
  readonly method?: Method
  readonly caller: Caller
}

export interface SimulateOptions {
  /** Aborted when nobody waits any more: what runs is stopped and rolled back. */
  readonly signal?: AbortSignal
}

/** What a statement would have answered. */
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
  /** A statement before it was refused: nothing behind that runs. */
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
 * Runs statements one after the other on one connection. Each sees what those before it did; nothing of it is kept.
 *
 * @returns one outcome for each step.
 */
export async function simulateSteps(
  steps: readonly SimulationStep[],
  options: SimulateOptions,
  environment: QueryEnvironment,
): Promise<readonly Simulation[]> {
  const { done, error } = await settledAfresh(environment, async (touched) => {
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
  const generation = environment.generations.current()
  const ready: ReadyStep[] = []
  try {
    for (const { sql, params = [], method = 'all', caller } of steps) {
      const request = { sql, params, signal }
      const statement = await readyStatement(request, caller, environment, touched, generation)
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
  /** What stopped it, at the step behind the last one done. */
  readonly error: GatewayError | undefined
}

async function runAndUndo(
  steps: readonly ReadyStep[],
  { signal }: SimulateOptions,
  environment: QueryEnvironment,
): Promise<Run> {
  const [first] = steps
  if (first === undefined) return { done: [], error: undefined }
  const split = steps.find(({ prepared }) => prepared.precheck?.().isPure === false)
  const run = split ?? (await runOnce(first, steps, signal, undefined, environment))
  if ('done' in run) return run
  const { prepared } = run
  const judged = await inOneState(prepared, (isolation) =>
    runOnce(first, steps, signal, isolation, environment),
  )
  return 'done' in judged ? judged : { done: [], error: prepared.checkFailure() }
}

/**
 * The transaction's body never resolves: an adapter has no occasion to commit.
 *
 * @param isolation as in `runBatch`
 * @returns the step whose failure can only be judged in a transaction that sees one state.
 */
async function runOnce(
  first: ReadyStep,
  steps: readonly ReadyStep[],
  signal: AbortSignal | undefined,
  isolation: IsolationLevel | undefined,
  { settings }: QueryEnvironment,
): Promise<Run | ReadyStep> {
  const { adapter } = first.prepared
  const limits = { timeoutMs: settings.limits.queryTimeoutMs, signal }
  const readOnly = steps.every(({ prepared }) => !prepared.plan.compiled.isWrite)
  const undo = new GatewayError('internal', 'a simulation is rolled back')
  const done: Simulation[] = []
  const runStep = async (step: ReadyStep, session: Session) => {
    const { prepared, values, method } = step
    const send: Send = (execution) => session.execute(execution)
    await requireProposals(prepared.precheck?.(), step, send, limits)
    if (isolation !== undefined) await judgeBefore(step, send, limits)
    const execution = { statement: prepared.plan.compiled, values, ...limits }
    const result = await session.execute({ ...execution, ...rowsWanted(method, settings) })
    // Alone it would have been a transaction of its own.
    if (prepared.plan.compiled.isWrite) await session.checkDeferred?.()
    done.push(simulationOf(step, result))
  }
  try {
    await adapter.transaction({ ...limits, readOnly, isolation }, async (session) => {
      for (const step of steps) await runStep(step, session)
      throw undo
    })
  } catch (error) {
    if (error === undo) return { done, error: undefined }
    if (isolation !== undefined && isSerializationFailure(error)) throw error
    const failed = steps[done.length]
    if (failed === undefined) throw error
    const alone: Send = (execution) => adapter.execute(execution)
    const state = isolation === undefined ? 'other' : 'judged'
    const verdict = await judgeFailure(error, failed, alone, limits, state)
    if (verdict.kind === 'again') return failed
    if (verdict.error instanceof GatewayError) return { done, error: verdict.error }
    throw verdict.error
  }
  throw new Error('a simulation was committed')
}

function simulationOf({ prepared, method }: ReadyStep, result: ResultSet): Simulation {
  const { isWrite } = prepared.plan.compiled
  const { body, rowCount, truncated } = answer(prepared, result, { method, meta: true })
  return { outcome: 'answered', status: 200, body, rowCount, truncated, isWrite }
}
