/** @module Several statements in one transaction. */
import type { IsolationLevel, ResultSet, Session } from './adapter.ts'
import type { Caller } from './caller.ts'
import { changedError, GatewayError } from './errors.ts'
import { withDeadline } from './execute/deadline.ts'
import { serializeBatch } from './execute/serialize.ts'
import type { Patience } from './limits/concurrency.ts'
import { inTurn } from './limits/in-turn.ts'
import { observeExecution } from './observe.ts'
import {
  answer,
  placeOf,
  type QueryAnswer,
  type QueryEnvironment,
  type QueryRequest,
  type ReadyStatement,
  readyStatement,
  rowsWanted,
  withFreshCatalog,
} from './run-query.ts'
import { inOneState } from './run-write.ts'
import {
  isSerializationFailure,
  judgeBefore,
  judgeFailure,
  requireProposals,
  type Send,
  type TimeLimits,
} from './write-judgement.ts'

type BatchStatement = Omit<QueryRequest, 'signal' | 'origin'>

export interface BatchRequest {
  readonly statements: readonly BatchStatement[]
  readonly signal: AbortSignal | undefined
  /** As in `QueryRequest`. */
  readonly origin?: QueryRequest['origin']
}

/** A statement of a batch and what is needed to run it. */
interface BatchItem extends ReadyStatement {
  readonly statement: BatchStatement
  /** Names it in errors: the first is 1. */
  readonly number: number
}

/** Prepares every statement before the first one runs: a batch with a bad statement touches nothing. */
export async function runBatch(
  { statements, signal, origin }: BatchRequest,
  caller: Caller,
  environment: QueryEnvironment,
  touched: Set<string> = new Set(),
): Promise<QueryAnswer> {
  const answers = await withFreshCatalog(environment, touched, async () => {
    const generation = environment.generations.current()
    const items: BatchItem[] = []
    for (const [i, statement] of statements.entries()) {
      const number = i + 1
      const request = { ...statement, signal }
      const ready = await readyStatement(request, caller, environment, touched, generation).catch(
        (error: unknown) => fail(number, error),
      )
      items.push({ ...ready, statement, number })
    }
    const [first] = items
    if (first === undefined) return []
    const place = placeOf(first, caller, { origin })
    const patience = { timeoutMs: environment.settings.limits.queryTimeoutMs, signal }
    requireOneConnection(items)
    return inTurn(environment.concurrency, place, patience, (limits) =>
      runAll(first, items, limits, environment),
    )
  })
  return {
    body: serializeBatch(answers.map(({ body }) => body)),
    rowCount: answers.reduce((sum, { rowCount }) => sum + rowCount, 0),
    rowCounts: answers.map(({ rowCount }) => rowCount),
    truncated: answers.some(({ truncated }) => truncated),
    filteredTables: [...new Set(answers.flatMap(({ filteredTables }) => filteredTables))],
  }
}

function requireOneConnection(items: readonly BatchItem[]): void {
  const connections = new Set(items.map(({ prepared }) => prepared.plan.connection))
  if (connections.size <= 1) return
  const names = [...connections].map((name) => `"${name}"`).join(' and ')
  throw new GatewayError('badRequest', `A batch runs on one connection, not on ${names}.`)
}

/** All statements together have the time of one. */
async function runAll(
  first: BatchItem,
  items: readonly BatchItem[],
  { timeoutMs, signal: abandoned }: Patience,
  environment: QueryEnvironment,
): Promise<readonly QueryAnswer[]> {
  const progress: Progress = { item: undefined }
  try {
    return await withDeadline(timeoutMs, abandoned, (signal) =>
      runJudged(first, items, { timeoutMs, signal }, progress, environment),
    )
  } catch (error) {
    if (progress.item === undefined) throw error
    return fail(progress.item.number, error)
  }
}

async function runJudged(
  first: BatchItem,
  items: readonly BatchItem[],
  limits: TimeLimits,
  progress: Progress,
  environment: QueryEnvironment,
): Promise<readonly QueryAnswer[]> {
  const split = items.find(({ prepared }) => prepared.precheck?.().isPure === false)
  let suspect: BatchItem | undefined = split
  if (split === undefined) {
    const outcome = await runOnce(first, items, limits, undefined, progress, environment)
    if ('answers' in outcome) return outcome.answers
    suspect = outcome.failed
  }
  const { prepared } = suspect ?? first
  const outcome = await inOneState(prepared, (isolation) =>
    runOnce(first, items, limits, isolation, progress, environment),
  )
  if ('answers' in outcome) return outcome.answers
  throw outcome.failed.prepared.checkFailure()
}

/** The statement that runs, or that failed; undefined when there is none. */
interface Progress {
  item: BatchItem | undefined
}

/** `failed`: the statement whose failure can only be judged in a transaction that sees one state. */
type Outcome = { readonly answers: readonly QueryAnswer[] } | { readonly failed: BatchItem }

/**
 * @param isolation of a transaction that sees one state: checks that depend on rows are judged before their writes.
 * @throws {GatewayError} what the caller may know of a failure; 40001 as it is when there is an isolation.
 */
async function runOnce(
  first: BatchItem,
  items: readonly BatchItem[],
  limits: TimeLimits,
  isolation: IsolationLevel | undefined,
  progress: Progress,
  { settings, observe }: QueryEnvironment,
): Promise<Outcome> {
  const { adapter } = first.prepared
  const readOnly = items.every(({ prepared }) => !prepared.plan.compiled.isWrite)
  const run = async (item: BatchItem, session: Session) => {
    const { prepared, values, statement } = item
    const send: Send = (execution) => session.execute(execution)
    await requireProposals(prepared.precheck?.(), item, send, limits)
    if (isolation !== undefined) await judgeBefore(item, send, limits)
    const result: ResultSet = await observeExecution(observe, prepared.plan.connection, () =>
      session.execute({
        statement: prepared.plan.compiled,
        values,
        ...rowsWanted(statement.method, settings),
        ...limits,
      }),
    )
    return answer(prepared, result, statement)
  }
  try {
    const options = { ...limits, readOnly, isolation }
    const answers = await adapter.transaction(options, async (session) => {
      const done: QueryAnswer[] = []
      for (const item of items) {
        progress.item = item
        done.push(await run(item, session))
      }
      progress.item = undefined
      return done
    })
    return { answers }
  } catch (error) {
    if (isolation !== undefined && isSerializationFailure(error)) throw error
    const failed = progress.item
    if (failed === undefined) throw first.prepared.told(error, 'commit')
    const alone: Send = (execution) => adapter.execute(execution)
    const state = isolation === undefined ? 'other' : 'judged'
    const verdict = await judgeFailure(error, failed, alone, limits, state)
    if (verdict.kind !== 'error') return { failed }
    throw failed.prepared.told(verdict.error)
  }
}

/** Throws the same error again, its message saying which statement it is about. */
function fail(number: number, error: unknown): never {
  if (!(error instanceof GatewayError)) throw error
  const { message, publicMessage, details } = error
  throw changedError(error, {
    message: `Statement ${number}: ${message}`,
    publicMessage: `Statement ${number}: ${publicMessage}`,
    details: { ...details, statement: number },
    cause: error.cause ?? error,
  })
}
