/** @module Several statements in one transaction. */
import type { ResultSet, Session } from './adapter.ts'
import type { Caller } from './caller.ts'
import { GatewayError } from './errors.ts'
import { serializeBatch } from './execute/serialize.ts'
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
  readonly request: BatchStatement
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
    const items = statements.map((request, i): BatchItem => {
      const number = i + 1
      const prepare = () => readyStatement(request, caller, environment, touched)
      return { ...numbered(number, prepare), request, number }
    })
    return runAll(items, signal, environment)
  })
  return {
    body: serializeBatch(answers.map(({ body }) => body)),
    rowCount: answers.reduce((sum, { rowCount }) => sum + rowCount, 0),
    truncated: answers.some(({ truncated }) => truncated),
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
  const run = async ({ prepared, values, request }: BatchItem, session: Session) => {
    const result: ResultSet = await session.execute({
      statement: prepared.plan.compiled,
      values,
      ...rowsWanted(request.method, settings),
      timeoutMs,
      signal,
    })
    return answer(prepared, result, request)
  }
  return first.prepared.adapter.transaction({ timeoutMs, readOnly, signal }, async (session) => {
    const answers: QueryAnswer[] = []
    for (const item of items) {
      answers.push(await run(item, session).catch((error) => fail(item.number, error)))
    }
    return answers
  })
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
  const { problem, message, publicMessage, details, sqlState, position, cause } = error
  throw new GatewayError(problem, `Statement ${number}: ${message}`, {
    publicMessage: `Statement ${number}: ${publicMessage}`,
    details: { ...details, statement: number },
    ...(sqlState === undefined ? {} : { sqlState }),
    ...(position === undefined ? {} : { position }),
    cause: cause ?? error,
  })
}
