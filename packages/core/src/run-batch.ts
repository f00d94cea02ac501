/** @module Several statements in one transaction. */
import type { Execution, ResultSet, Session } from './adapter.ts'
import type { Caller } from './caller.ts'
import { GatewayError } from './errors.ts'
import { serializeBatch } from './execute/serialize.ts'
import { judgeRefusal, requireProposals } from './judge-refusal.ts'
import {
  answer,
  type QueryAnswer,
  type QueryEnvironment,
  type QueryRequest,
  type ReadyStatement,
  readyStatement,
  rowsWanted,
  withFreshCatalog,
} from './run-query.ts'

type BatchStatement = Omit<QueryRequest, 'signal'>

export interface BatchRequest {
  readonly statements: readonly BatchStatement[]
  readonly signal: AbortSignal | undefined
}

/** A statement of a batch and what is needed to run it. */
interface BatchItem extends ReadyStatement {
  readonly statement: BatchStatement
  /** Names it in errors: the first is 1. */
  readonly number: number
}

/** Prepares every statement before the first one runs: a batch with a bad statement touches nothing. */
export async function runBatch(
  { statements, signal }: BatchRequest,
  caller: Caller,
  environment: QueryEnvironment,
): Promise<QueryAnswer> {
  const answers = await withFreshCatalog(environment, async (touched) => {
    const items = statements.map((statement, i): BatchItem => {
      const number = i + 1
      const prepare = () => readyStatement(statement, caller, environment, touched)
      return { ...numbered(number, prepare), statement, number }
    })
    return runAll(items, signal, environment)
  })
  return {
    body: serializeBatch(answers.map(({ body }) => body)),
    rowCount: answers.reduce((sum, { rowCount }) => sum + rowCount, 0),
    truncated: answers.some(({ truncated }) => truncated),
    filteredTables: [...new Set(answers.flatMap(({ filteredTables }) => filteredTables))],
  }
}

async function runAll(
  items: readonly BatchItem[],
  signal: AbortSignal | undefined,
  { settings }: QueryEnvironment,
): Promise<readonly QueryAnswer[]> {
  const [first] = items
  if (first === undefined) return []
  const connections = new Set(items.map(({ prepared }) => prepared.plan.connection))
  if (connections.size > 1) {
    const names = [...connections].map((name) => `"${name}"`).join(' and ')
    throw new GatewayError('badRequest', `A batch runs on one connection, not on ${names}.`)
  }
  const timeoutMs = settings.limits.queryTimeoutMs
  const readOnly = items.every(({ prepared }) => !prepared.plan.compiled.isWrite)
  const run = async (item: BatchItem, session: Session) => {
    const { prepared, values, statement } = item
    const ask = (execution: Execution) => session.execute(execution)
    await requireProposals(item, ask, { timeoutMs, signal })
    const result: ResultSet = await session.execute({
      statement: prepared.plan.compiled,
      values,
      ...rowsWanted(statement.method, settings),
      timeoutMs,
      signal,
    })
    return answer(prepared, result, statement)
  }
  let failed: BatchItem | undefined
  const all = async (session: Session) => {
    const answers: QueryAnswer[] = []
    for (const item of items) {
      failed = item
      answers.push(await run(item, session))
    }
    failed = undefined
    return answers
  }
  try {
    return await first.prepared.adapter.transaction({ timeoutMs, readOnly, signal }, all)
  } catch (error) {
    if (failed === undefined) throw error
    const judged = await judgeRefusal(error, failed, { timeoutMs, signal })
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
