/** @module Statements of the application's own code: the same flow as a client's, with full rights. */

import { createPlanCache } from '../../compiler/plan/plan-cache.ts'
import type { Limits } from '../../config/settings/settings.ts'
import type { RequestOrigin } from '../../foundation/audit-event.ts'
import { admin, type Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
import type { GuardedSession } from '../guard/guarded-adapter.ts'
import { createConcurrency } from '../limits/concurrency.ts'
import { auditedQuery, type RunStatement } from '../query/audited-statements.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import {
  answer,
  type QueryAnswer,
  type QueryRequest,
  type ReadyStatement,
  readyStatement,
  rowsWanted,
  runQuery,
} from '../query/run-query.ts'
import { withFreshCatalog } from '../query/with-fresh-catalog.ts'

/** The limits for the application's own code: `limits` apply to clients only. The hard caps of the pipeline stay. */
export const systemLimits: Pick<
  Limits,
  'maxRows' | 'maxRelationDepth' | 'maxFilterNesting' | 'maxFilterConditions'
> = {
  maxRows: 100_000,
  maxRelationDepth: 50,
  maxFilterNesting: 100,
  maxFilterConditions: 10_000,
}

/** The user and origin that the audit records for a statement. */
export interface SystemIdentity {
  readonly caller: Caller
  readonly origin: RequestOrigin | undefined
}

/** One statement: PostgreSQL's dialect, parameters as JSON values. */
export interface SystemStatement {
  readonly sql: string
  readonly params: readonly unknown[]
  readonly signal: AbortSignal | undefined
}

/** The result of a statement. */
export interface SystemRows {
  /** Objects by column name; values as in the answer to `POST /data`. */
  readonly rows: readonly object[]
  /** Rows returned, or rows written. */
  readonly rowCount: number
}

/** Runs statements with full rights and records each as its user's. */
export interface SystemStatements {
  /** For every statement, in milliseconds. */
  readonly timeoutMs: number
  /**
   * Finds the plan, without running anything.
   *
   * @param isHolding see `DataSource.refreshIfChanged`
   */
  prepare(statement: SystemStatement, isHolding: boolean): Promise<ReadyStatement>
  /** Runs a statement outside of a transaction. */
  run(statement: SystemStatement, identity: SystemIdentity): Promise<SystemRows>
  /** Runs a statement in a transaction, which must be on the connection that the statement is for. */
  runIn(
    session: GuardedSession,
    ready: ReadyStatement,
    statement: SystemStatement,
    identity: SystemIdentity,
  ): Promise<SystemRows>
}

export function createSystemStatements(environment: QueryEnvironment): SystemStatements {
  const system = withSystemLimits(environment)
  const { audit, settings } = system
  const timeoutMs = settings.limits.queryTimeoutMs

  const runAs = async (
    run: RunStatement<QueryRequest>,
    { sql, params, signal }: SystemStatement,
    { caller, origin }: SystemIdentity,
  ): Promise<SystemRows> => {
    const request: QueryRequest = { sql, params, signal, method: 'execute', meta: false, origin }
    const audited = audit === undefined ? run : auditedQuery(run, audit)
    return rowsOf(await audited(request, caller))
  }

  return {
    timeoutMs,
    prepare: (statement, isHolding) => {
      const touched = new Set<string>()
      return withFreshCatalog(
        system,
        touched,
        async () => readyStatement(statement, admin, system, touched),
        { isHolding: () => isHolding },
      )
    },
    run: (statement, identity) =>
      runAs(
        (request, _caller, touched) => runQuery(request, admin, system, touched),
        statement,
        identity,
      ),
    runIn: (session, ready, statement, identity) =>
      runAs(
        async (request, _caller, touched) => {
          const { prepared } = ready
          touched?.add(prepared.plan.connection)
          const limits = { timeoutMs, signal: request.signal }
          const result = await session.run(ready, limits, (send) =>
            send({ ...rowsWanted(request.method, settings), ...limits }),
          )
          return answer(prepared, result, request)
        },
        statement,
        identity,
      ),
  }
}

/**
 * The application's own code does not wait for a slot: it runs within an action, which already has one, and could wait for
 * itself. The number of running actions limits the number of its statements.
 */
const uncounted = createConcurrency({
  perCaller: Number.POSITIVE_INFINITY,
  perConnection: new Map(),
  maxQueued: 0,
})

/** The limits are part of a plan: these plans are kept separate from those of clients. */
function withSystemLimits(environment: QueryEnvironment): QueryEnvironment {
  const { settings, snapshots } = environment
  const known = new WeakMap<EngineSnapshot, EngineSnapshot>()
  const current = (): EngineSnapshot => {
    const shared = snapshots.current()
    const own = known.get(shared) ?? { ...shared, plans: createPlanCache(({ size }) => size) }
    known.set(shared, own)
    return own
  }
  return {
    ...environment,
    settings: { ...settings, limits: { ...settings.limits, ...systemLimits } },
    snapshots: { ...snapshots, current },
    concurrency: uncounted,
  }
}

/**
 * @throws {GatewayError} `limitExceeded` when there are more rows: the application's code must not process an incomplete result
 *   without noticing.
 */
function rowsOf({ body, rowCount, truncated }: QueryAnswer): SystemRows {
  if (truncated) {
    throw new GatewayError(
      'limitExceeded',
      `A statement gives more than ${systemLimits.maxRows} rows: read them page by page.`,
      { sqlState: '54000' },
    )
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const { rows } = JSON.parse(text) as { readonly rows: readonly object[] }
  return { rows, rowCount }
}
