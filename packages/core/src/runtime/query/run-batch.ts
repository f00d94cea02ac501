import type { Caller } from '../../foundation/caller.ts'
import { withAbortDeadline } from '../../foundation/deadline.ts'
import { changedError, GatewayError } from '../../foundation/errors.ts'
import { serializeBatch } from '../execute/serialize.ts'
import type { WaitOptions } from '../limits/concurrency.ts'
import { withSlot } from '../limits/with-slot.ts'
import type { QueryEnvironment } from './query-environment.ts'
import {
  answer,
  placeOf,
  type QueryAnswer,
  type QueryRequest,
  type ReadyStatement,
  readyStatement,
  rowsWanted,
} from './run-query.ts'
import { withFreshCatalog } from './with-fresh-catalog.ts'

type BatchStatement = Omit<QueryRequest, 'signal' | 'origin'>

/** Statements that succeed or fail together, in one transaction. */
export interface BatchRequest {
  readonly statements: readonly BatchStatement[]
  readonly signal: AbortSignal | undefined
  /** As in `QueryRequest`. */
  readonly origin?: QueryRequest['origin']
}

/** A statement of a batch with everything needed to run it. */
interface BatchItem extends ReadyStatement {
  readonly statement: BatchStatement
  /** Its number in errors: the first is 1. */
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
    const snapshot = environment.snapshots.current()
    const items: BatchItem[] = []
    for (const [i, statement] of statements.entries()) {
      const number = i + 1
      const request = { ...statement, signal }
      const ready = await readyStatement(request, caller, environment, touched, snapshot).catch(
        (error: unknown) => fail(number, error),
      )
      items.push({ ...ready, statement, number })
    }
    const [first] = items
    if (first === undefined) return []
    const place = placeOf(first, caller, { origin })
    const patience = { timeoutMs: environment.settings.limits.queryTimeoutMs, signal }
    requireOneConnection(items)
    return withSlot(environment.concurrency, place, patience, (limits) =>
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

/** All statements together share the timeout of one. */
async function runAll(
  { prepared: { adapter } }: BatchItem,
  items: readonly BatchItem[],
  { timeoutMs, signal: abandoned }: WaitOptions,
  { settings }: QueryEnvironment,
): Promise<readonly QueryAnswer[]> {
  let place = items.length
  const run = async (signal: AbortSignal): Promise<readonly QueryAnswer[]> => {
    const limits = { timeoutMs, signal }
    const result = await adapter.runTogether(items, {
      limits,
      isKept: true,
      onStart: (started) => {
        place = started
      },
      run: async ({ prepared, statement }, send) => {
        const answered = await send({ ...rowsWanted(statement.method, settings), ...limits })
        return answer(prepared, answered, statement)
      },
    })
    if (result.kind === 'done') return result.answers
    place = result.at
    // Thrown here, so that a statement which the deadline cancelled is reported as a timeout.
    throw result.error
  }
  try {
    return await withAbortDeadline(timeoutMs, abandoned, run)
  } catch (error) {
    return failAt(place, items, error)
  }
}

/** @param place index of the statement that failed; an index after the last one: none failed. */
function failAt(place: number, items: readonly BatchItem[], error: unknown): never {
  const item = items[place]
  if (item === undefined) throw error
  return fail(item.number, error)
}

/** Throws the same error again, with the number of its statement in the message. */
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
