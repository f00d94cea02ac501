/** @module Several statements in one transaction. */
import type { Execution, ResultSet, Session } from './adapter.ts'
import type { Caller } from './caller.ts'
import { GatewayError } from './errors.ts'
import { withDeadline } from './execute/deadline.ts'
import { serializeBatch } from './execute/serialize.ts'
import { judgeRefusal, requireProposals } from './judge-refusal.ts'
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
    const items = statements.map((statement, i): BatchItem => {
      const number = i + 1
      const prepare = () => readyStatement(statement, caller, environment, touched)
      return { ...numbered(number, prepare), statement, number }
    })
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
  { settings, observe }: QueryEnvironment,
): Promise<readonly QueryAnswer[]> {
  const readOnly = items.every(({ prepared }) => !prepared.plan.compiled.isWrite)
  const run = async (item: BatchItem, session: Session, signal: AbortSignal) => {
    const { prepared, values, statement } = item
    const ask = (execution: Execution) => session.execute(execution)
    await requireProposals(item, ask, { timeoutMs, signal })
    const result: ResultSet = await observeExecution(observe, prepared.plan.connection, () =>
      session.execute({
        statement: prepared.plan.compiled,
        values,
        ...rowsWanted(statement.method, settings),
        timeoutMs,
        signal,
      }),
    )
    return answer(prepared, result, statement)
  }
  let failed: BatchItem | undefined
  const all = async (session: Session, signal: AbortSignal) => {
    const answers: QueryAnswer[] = []
    for (const item of items) {
      failed = item
      answers.push(await run(item, session, signal))
    }
    failed = undefined
    return answers
  }
  try {
    return await withDeadline(timeoutMs, abandoned, (signal) => {
      const options = { timeoutMs, readOnly, signal }
      return first.prepared.adapter.transaction(options, (session) => all(session, signal))
    })
  } catch (error) {
    if (failed === undefined) throw error
    const judged = await judgeRefusal(error, failed, { timeoutMs, signal: abandoned })
    return fail(failed.number, judged)
  }
}

function numbered<T>(number: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return fail(number, error)
  }
}

/** Throws the same error again, its message saying which statement it is about. */
function fail(number: number, error: unknown): never {
  if (!(error instanceof GatewayError)) throw error
  const { problem, message, publicMessage, details, reason, sqlState, position, cause } = error
  throw new GatewayError(problem, `Statement ${number}: ${message}`, {
    publicMessage: `Statement ${number}: ${publicMessage}`,
    details: { ...details, statement: number },
    ...(reason === undefined ? {} : { reason }),
    ...(sqlState === undefined ? {} : { sqlState }),
    ...(position === undefined ? {} : { position }),
    cause: cause ?? error,
  })
}
