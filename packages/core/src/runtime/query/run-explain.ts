/** @module EXPLAIN of `POST /data`: the database's plan instead of the rows. */
import { fullRightsKey } from '../../compiler/permissions/access/rights.ts'
import { splitScript } from '../../compiler/sql/split-script.ts'
import type { Caller } from '../../foundation/caller.ts'
import { rejectAfter } from '../../foundation/deadline.ts'
import { changedError, GatewayError } from '../../foundation/errors.ts'
import type { Cells } from '../adapter/adapter.ts'
import { serialize } from '../execute/serialize.ts'
import type { TimeLimits } from '../guard/runnable.ts'
import { timedPlanning } from '../limits/timed-planning.ts'
import { withSlot } from '../limits/with-slot.ts'
import { analyzedStatement, maxPlanLines, planLinesOf, requirePlans } from './database-plan.ts'
import { type ExplainStatement, readExplainStatement } from './explain-statement.ts'
import type { QueryEnvironment } from './query-environment.ts'
import {
  placeOf,
  type QueryAnswer,
  type QueryRequest,
  type ReadyStatement,
  readyStatement,
} from './run-query.ts'
import { withFreshCatalog } from './with-fresh-catalog.ts'

/** May the caller see and do everything? Only then may it see plans. */
export function isUnrestricted(
  caller: Caller,
  { snapshots }: Pick<QueryEnvironment, 'snapshots'>,
): boolean {
  return snapshots.current().rights.rightsOf(caller).key === fullRightsKey
}

/** Undefined for every other statement, and for a text that is not valid. @throws {GatewayError} for invalid options. */
export function explainOf(sql: string): ExplainStatement | undefined {
  if (!/\bexplain\b/i.test(sql)) return undefined
  const fields = timedPlanning({}, () => explainFields(sql))
  return fields && readExplainStatement(fields, sql)
}

function explainFields(sql: string): object | undefined {
  try {
    const [statement, another] = splitScript(sql)
    const tree: object = Object(statement?.tree)
    return another === undefined && 'ExplainStmt' in tree ? Object(tree.ExplainStmt) : undefined
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

/**
 * Answers with the lines of the plan. With ANALYZE the statement runs as the read or write that it is.
 *
 * @throws {GatewayError} `unsupported` for callers with restrictions, and where the database has no such plan.
 */
export async function runExplain(
  request: QueryRequest,
  { sql, offset, options }: ExplainStatement,
  caller: Caller,
  environment: QueryEnvironment,
  touched: Set<string>,
): Promise<QueryAnswer> {
  const explain = async () => {
    const ready = await readyStatement({ ...request, sql }, caller, environment, touched)
    requirePlans(ready.prepared.adapter, options, isUnrestricted(caller, environment))
    const patience = {
      timeoutMs: environment.settings.limits.queryTimeoutMs,
      signal: request.signal,
    }
    const place = placeOf(ready, caller, request)
    return withSlot(environment.concurrency, place, patience, (limits) =>
      rejectAfter(
        limits.timeoutMs,
        options.isAnalyzed === true
          ? measure(analyzedStatement(ready, options), limits)
          : planLinesOf(ready, limits, options),
      ),
    )
  }
  try {
    const lines = await withFreshCatalog(environment, touched, explain)
    return answerOf(lines, request, options.format === 'json')
  } catch (error) {
    throw movedBy(offset, error)
  }
}

async function measure(ready: ReadyStatement, limits: TimeLimits): Promise<readonly string[]> {
  const { rows } = await ready.prepared.adapter.runAlone(ready, limits, (send, left) =>
    send({ rowShape: 'cells', maxRows: maxPlanLines, ...left }),
  )
  const cells = JSON.parse(`[${Buffer.from(rows).toString()}]`) as readonly Cells[]
  return cells.map(([line]) => line ?? '')
}

const name = 'QUERY PLAN'

/** A JSON plan is a JSON value of the answer. */
function answerOf(
  lines: readonly string[],
  { method, meta }: QueryRequest,
  isJson: boolean,
): QueryAnswer {
  const shown = method === 'get' ? lines.slice(0, 1) : lines
  const rows = shown.map((line) => {
    const value = isJson ? line : JSON.stringify(line)
    return method === 'execute' ? `{${JSON.stringify(name)}:${value}}` : `[${value}]`
  })
  const result = { rows: rows.join(), rowCount: rows.length, truncated: false }
  const type = isJson ? 'json' : 'text'
  const columns = meta ? JSON.stringify([{ name, type }]) : undefined
  return {
    body: serialize(result, method, columns),
    rowCount: rows.length,
    truncated: false,
    filteredTables: [],
  }
}

/** The error with its position in the whole text. */
function movedBy(offset: number, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.position === undefined) return error
  const position = error.position + offset
  const message = error.message.replace(/\(position \d+\)$/, `(position ${position})`)
  return changedError(error, { message, position })
}
