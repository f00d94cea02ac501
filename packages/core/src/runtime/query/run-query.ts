/** @module The flow of one statement: rights, plan, values, execution, answer. */

import type { Method } from '@engine/contract'
import type { Rights } from '../../compiler/permissions/access/rights.ts'
import type { Settings } from '../../config/settings/settings.ts'
import type { RequestOrigin } from '../../foundation/audit-event.ts'
import type { Caller } from '../../foundation/caller.ts'
import { rejectAfter } from '../../foundation/deadline.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Steps } from '../../foundation/steps.ts'
import type { ResultSet } from '../adapter/adapter.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
import { type JsonBody, serialize } from '../execute/serialize.ts'
import type { Runnable } from '../guard/runnable.ts'
import type { SlotKey } from '../limits/concurrency.ts'
import { inPlanningTurns } from '../limits/planning-turns.ts'
import { concurrencyKey, withSlot } from '../limits/with-slot.ts'
import { observePlanning } from '../observe/observe.ts'
import {
  type PlanContext,
  type PreparedPlan,
  preparePlan,
  type SessionContext,
} from '../prepare/prepare-plan.ts'
import { requireConfirmed } from './confirmed-caller.ts'
import { withCurrentRows } from './current-rows.ts'
import type { QueryEnvironment } from './query-environment.ts'
import { withFreshCatalog } from './with-fresh-catalog.ts'

/** One statement as a client sends it, its shape already checked. */
export interface QueryRequest {
  readonly sql: string
  /** `params[0]` is `$1`; JSON values. */
  readonly params: readonly unknown[]
  readonly method: Method
  /** Adds columns, rowCount and truncated to the answer. */
  readonly meta: boolean
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined
  /** The request's origin, for the audit; its address identifies callers without an id. */
  readonly origin?: RequestOrigin | undefined
  /**
   * Set where the caller is still being verified: a statement that only reads runs meanwhile, others wait. When it is false the
   * answer is an error that is not a `GatewayError`, and nothing has happened. See `AuthProvider.expect`.
   */
  readonly confirmed?: Promise<boolean> | undefined
}

/** The answer to a statement or a batch. */
export interface QueryAnswer {
  /** The response body, JSON. */
  readonly body: JsonBody
  /** Rows in the answer, or rows written. */
  readonly rowCount: number
  /** For each statement of a batch; otherwise undefined. */
  readonly rowCounts?: readonly number[]
  /** `limits.maxRows` cut the answer. */
  readonly truncated: boolean
  /** If there were no rows: the tables of which the caller sees only some rows. For developers, never in production. */
  readonly filteredTables: readonly string[]
}

/** A plan and the values for it. */
export interface ReadyStatement extends Runnable {
  readonly prepared: PreparedPlan
}

/** @param touched receives the connection as soon as it is known. */
export function runQuery(
  request: QueryRequest,
  caller: Caller,
  environment: QueryEnvironment,
  touched: Set<string> = new Set(),
): Promise<QueryAnswer> {
  let used: PreparedPlan | undefined
  const { limits } = environment.settings
  const run = (ready: ReadyStatement): Promise<ResultSet> => {
    used = ready.prepared
    const { adapter } = ready.prepared
    const patience = { timeoutMs: limits.queryTimeoutMs, signal: request.signal }
    return withSlot(environment.concurrency, placeOf(ready, caller, request), patience, (left) =>
      rejectAfter(
        left.timeoutMs,
        adapter.runAlone(ready, left, (send, { timeoutMs, signal }) => {
          const { maxRows, rowShape } = rowsWanted(request.method, environment.settings)
          return send({ maxRows, rowShape, timeoutMs, signal })
        }),
      ),
    )
  }
  const runLater = async (known: ReadyStatement | undefined): Promise<ResultSet> => {
    const ready = known ?? (await readyStatement(request, caller, environment, touched))
    if (ready.prepared.isLasting) await requireConfirmed(request)
    return run(ready)
  }
  /** At once where the plan is known. */
  const attempt = (): Promise<ResultSet> => {
    const known = findStatement(request, caller, environment, touched)
    return known === undefined || known.prepared.isLasting ? runLater(known) : run(known)
  }
  return withFreshCatalog(environment, touched, attempt).then((result) =>
    answer(used as PreparedPlan, result, request),
  )
}

/** The slot of a statement: its connection, and the caller it counts for. */
export function placeOf(
  { prepared }: ReadyStatement,
  caller: Caller,
  { origin }: Pick<QueryRequest, 'origin'>,
): SlotKey {
  return { connection: prepared.plan.connection, caller: concurrencyKey(caller, origin?.ip) }
}

/** The number of rows that an adapter should return, and their form. */
export function rowsWanted(
  method: Method,
  { limits }: Settings,
): { readonly maxRows: number; readonly rowShape: 'array' | 'object' } {
  return {
    maxRows: method === 'get' ? 1 : limits.maxRows,
    rowShape: method === 'execute' ? 'object' : 'array',
  }
}

export function answer(
  prepared: Pick<PreparedPlan, 'columnsJson' | 'filteredTables'>,
  result: ResultSet,
  { method, meta }: Pick<QueryRequest, 'method' | 'meta'>,
): QueryAnswer {
  const truncated = method !== 'get' && method !== 'run' && result.truncated
  const shown = { ...result, truncated }
  return {
    body: serialize(shown, method, meta ? prepared.columnsJson : undefined),
    rowCount: result.rowCount,
    truncated,
    filteredTables: result.rowCount === 0 ? prepared.filteredTables : [],
  }
}

/**
 * Finds or makes the plan of a statement and computes its parameter values.
 *
 * @param touched receives the connection as soon as it is known.
 * @param fixed the snapshot that statements of one batch share; the newest if omitted.
 * @throws {GatewayError} for faults of text, rights or values; `cancelled`.
 */
export async function readyStatement(
  statement: Pick<QueryRequest, 'sql' | 'params' | 'signal'>,
  caller: Caller,
  environment: QueryEnvironment,
  touched: Set<string>,
  fixed?: EngineSnapshot,
): Promise<ReadyStatement> {
  const known = findStatement(statement, caller, environment, touched, fixed)
  if (known !== undefined) return known
  return inPlanningTurns(
    planStatement(statement, caller, environment, touched, fixed),
    statement.signal,
  )
}

/** The steps of a statement without a known plan. They begin when its turn has come. */
function* planStatement(
  statement: Pick<QueryRequest, 'sql' | 'params'>,
  caller: Caller,
  environment: QueryEnvironment,
  touched: Set<string>,
  fixed: EngineSnapshot | undefined,
): Steps<ReadyStatement> {
  // Another request may have planned it meanwhile, or the configuration may have changed.
  const found = findStatement(statement, caller, environment, touched, fixed)
  if (found !== undefined) return found
  const { sql, params } = statement
  const snapshot = fixed ?? environment.snapshots.current()
  const rights = snapshot.rights.rightsOf(caller)
  const planning = { snapshot, rights, environment, touched }
  const prepared = yield* makePlan(sql, params.length, undefined, planning)
  snapshot.plans.set(rights.key, sql, prepared)
  return readyWith(prepared, params, rights, environment)
}

/** A statement whose plan is known. The parameters are those of `readyStatement`. */
function findStatement(
  { sql, params }: Pick<QueryRequest, 'sql' | 'params'>,
  caller: Caller,
  environment: QueryEnvironment,
  touched: Set<string>,
  fixed?: EngineSnapshot,
): ReadyStatement | undefined {
  const snapshot = fixed ?? environment.snapshots.current()
  const rights = snapshot.rights.rightsOf(caller)
  const known = snapshot.plans.get(rights.key, sql)
  if (known === undefined) return undefined
  touched.add(known.plan.connection)
  requireParameters(known.plan.parameterCount, params.length)
  return readyWith(known, params, rights, environment)
}

function readyWith(
  prepared: PreparedPlan,
  params: readonly unknown[],
  { callerValues }: Rights,
  { clock }: QueryEnvironment,
): ReadyStatement {
  const values = {
    params: withCurrentRows(prepared.plan, { params }),
    callerValues,
    timeMs: clock(),
  }
  return { prepared, request: values, values: prepared.recipe(values) }
}

/** The error of `bindStatement` for a wrong number of parameters, for a statement with a known plan. */
export function requireParameters(used: number, given: number): void {
  if (used === given) return
  throw new GatewayError(
    'invalidParameter',
    `the statement uses parameters up to $${used}, the number of values sent is ${given}`,
    { sqlState: '08P01' },
  )
}

interface Planning {
  readonly snapshot: EngineSnapshot
  readonly rights: Rights
  readonly environment: QueryEnvironment
  readonly touched: Set<string>
}

/** The steps of a plan that is not cached, all for one snapshot. The parameters are those of `preparePlan`. */
export function makePlan(
  sql: string,
  parameterCount: number | undefined,
  session: SessionContext | undefined,
  { snapshot, rights, environment, touched }: Planning,
): Steps<PreparedPlan> {
  const { settings, observe } = environment
  let known: string | undefined
  const context: PlanContext = {
    catalog: snapshot.catalog,
    access: rights.access,
    adapterOf: (connection) => {
      known = connection.name
      touched.add(connection.name)
      return snapshot.adapterOf(connection)
    },
    limits: settings.limits,
    session,
  }
  return observe === undefined
    ? preparePlan(sql, parameterCount, context)
    : observePlanning(
        observe,
        () => known,
        (trace, onCost) => preparePlan(sql, parameterCount, { ...context, trace, onCost }),
      )
}
