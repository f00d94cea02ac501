/** @module The stages from SQL text to a plan: parse, bind, authorize, compile. */
import { bindInSteps } from '../../compiler/bind/bind.ts'
import type { BoundStatement } from '../../compiler/bind/tree/bound-query.ts'
import type { SessionTimeZone } from '../../compiler/bind/tree/session-time-zone.ts'
import { visitStatement } from '../../compiler/bind/tree/visit-query.ts'
import { mayOutlastItself } from '../../compiler/bind/tree/volatility.ts'
import { allowPlanning, type PlanningCost } from '../../compiler/budget/planning-budget.ts'
import type { Catalog, Connection } from '../../compiler/catalog/catalog.ts'
import type { Operation } from '../../compiler/catalog/operation.ts'
import { findTable } from '../../compiler/catalog/partitions.ts'
import {
  enforceRelationDepth,
  enforceSyntaxLimits,
  withRowLimit,
} from '../../compiler/limits/enforce-limits.ts'
import { enforceExpandedSize } from '../../compiler/limits/expanded-size.ts'
import { withRecursionCap } from '../../compiler/limits/recursion-cap.ts'
import type { Access } from '../../compiler/permissions/access/access.ts'
import { catalogView } from '../../compiler/permissions/access/catalog-view.ts'
import { readsEveryColumn } from '../../compiler/permissions/access/fully-readable.ts'
import { isKnown } from '../../compiler/permissions/access/grants.ts'
import { withReportedFacts } from '../../compiler/permissions/access/reported-facts.ts'
import { authorizeInSteps } from '../../compiler/permissions/authorize/authorize.ts'
import { checkDenial } from '../../compiler/permissions/authorize/check-denial.ts'
import { filteredTables } from '../../compiler/permissions/authorize/filtered-tables.ts'
import { settingsToRunWith } from '../../compiler/permissions/authorize/settings-to-run-with.ts'
import { writtenTable } from '../../compiler/permissions/authorize/written-table.ts'
import type { CompiledStatement, Plan } from '../../compiler/plan/plan.ts'
import type { PlanEvent } from '../../compiler/plan/plan-event.ts'
import { requireSingleEvaluation } from '../../compiler/plan/require-single-evaluation.ts'
import type { Oid } from '../../compiler/sql-types/pg-type.ts'
import type { Limits } from '../../config/settings/settings.ts'
import type { GatewayError } from '../../foundation/errors.ts'
import type { Steps } from '../../foundation/steps.ts'
import { createParameterRecipe, type ParameterRecipe } from '../execute/parameter-values.ts'
import { columnsJson } from '../execute/serialize.ts'
import type { GuardedAdapter } from '../guard/guarded-adapter.ts'
import { type PreparedRecheck, preparePrecheck, prepareRecheck } from '../guard/prepare-recheck.ts'
import { timedSteps } from '../limits/timed-planning.ts'
import { describeStatement } from './describe-statement.ts'
import { parseText } from './parse-text.ts'
import type { StatementDescription } from './statement-description.ts'

/** A plan and the values that are computed once for it. */
export interface PreparedPlan {
  readonly plan: Plan
  readonly adapter: GuardedAdapter
  readonly recipe: ParameterRecipe
  /** `columns` of a `meta` answer. */
  readonly columnsJson: string
  /** The checks before the write runs, see `precheckOf`; undefined where there are none. */
  readonly precheck: (() => PreparedRecheck) | undefined
  /** The queries that decide about a write which its database refused; undefined when its rows need no check. */
  readonly recheck: (() => PreparedRecheck) | undefined
  /** The error of a write whose rows fail their check. */
  readonly checkFailure: () => GatewayError
  /**
   * Adds to an error of the database the facts that callers of this plan may know; returns other errors unchanged.
   *
   * @param when `commit`: it may be about any statement of the transaction.
   */
  readonly withReportedFacts: (error: unknown, when?: 'commit') => unknown
  /** Tables of which the caller sees only some rows, as `connection.table`. */
  readonly filteredTables: readonly string[]
  /** Only if it was requested. */
  readonly description: StatementDescription | undefined
  /** A write that may return more rows than the limit: only then does refusing them have to undo it. */
  readonly mayReturnTooMany: boolean
  /** About the bytes that it takes in memory, without the client's text. */
  readonly size: number
  /**
   * It does more than read: writes, locks rows, or calls a function whose effects are not known. A transaction of level `read
   * committed` that runs it holds a connection from then on.
   */
  readonly isLasting: boolean
}

export interface PlanContext {
  readonly catalog: Catalog
  readonly access: (connection: Connection) => Access
  /**
   * Called as soon as the connection of a statement is known.
   *
   * @throws {GatewayError} `unavailable` when its database was never reached.
   */
  readonly adapterOf: (connection: Connection) => GuardedAdapter
  readonly limits: Limits
  /** The context of a long-lived client, in addition to the text; its plans are described. */
  readonly session?: SessionContext | undefined
  /** Receives the result of each completed stage, for explanations. */
  readonly trace?: (event: PlanEvent) => void
  /** Called at the end, with the cost of the plan or of its refusal. */
  readonly onCost?: (cost: PlanningCost) => void
}

export interface SessionContext {
  readonly declared: readonly Oid[]
  readonly searchPath: readonly string[]
  readonly timeZone: SessionTimeZone | undefined
  /** See `SessionStatement.textSearch`. */
  readonly textSearch?: string | undefined
  /** The most rows, where it is not `limits.maxRows`. */
  readonly maxRows?: number | undefined
  /** See `BindOptions`. */
  readonly isCursor?: boolean | undefined
}

/**
 * Computes everything that depends only on the text and the roles: pure, in steps. All of them use the catalog and the rights of
 * `context`, whatever changes meanwhile.
 *
 * @param parameterCount number of values the client sent; undefined while it is unknown.
 * @throws {GatewayError} of every stage, and of `timedSteps`.
 */
export function preparePlan(
  sql: string,
  parameterCount: number | undefined,
  context: PlanContext,
): Steps<PreparedPlan> {
  const { onCost } = context
  return timedSteps(onCost === undefined ? {} : { onEnd: onCost }, () =>
    preparePlanInBudget(sql, parameterCount, context),
  )
}

function* preparePlanInBudget(
  sql: string,
  parameterCount: number | undefined,
  { catalog, access, adapterOf, limits, session, trace }: PlanContext,
): Steps<PreparedPlan> {
  const parsed = yield* parseText(sql)
  allowPlanning(parsed.nodes)
  trace?.({ kind: 'parsed', statement: parsed })
  yield
  enforceSyntaxLimits(parsed.statement, limits)
  yield
  const bound = yield* bindInSteps(parsed, {
    catalog,
    view: (connection) => {
      adapterOf(connection)
      const own = access(connection)
      return catalogView(own, readsEveryColumn(own, parsed.relations, catalog))
    },
    parameterCount,
    hasSettings: (connection) => adapterOf(connection).traits.sessionSettings,
    mayUse: (connection, name) => {
      const table = findTable(connection, name)
      return table !== undefined && isKnown(access(connection), table)
    },
    ...session,
  })
  trace?.({ kind: 'bound', statement: bound })
  yield
  enforceRelationDepth(bound, limits)
  yield
  enforceExpandedSize(bound)
  yield
  const { connection } = bound
  const maxRows = session?.maxRows ?? limits.maxRows
  const permitted = yield* authorizeInSteps(bound, access(connection))
  yield
  const authorized = withRecursionCap(withRowLimit(permitted, maxRows))
  trace?.({ kind: 'authorized', statement: authorized })
  const adapter = adapterOf(connection)
  yield
  const { sessionSettings } = adapter.traits
  const settings = settingsToRunWith(bound, authorized, session?.timeZone, {
    hasSettings: sessionSettings,
    isFull: access(connection).isFull,
  })
  const compiled = { ...(yield* adapter.compileInSteps(authorized)), settings }
  const isInUtc = session?.timeZone === undefined
  const zone = { settings, isInUtc }
  requireSingleEvaluation(compiled)
  trace?.({ kind: 'compiled', statement: compiled })
  yield
  const { types } = connection
  const written = compiled.isWrite ? writtenTable(bound) : undefined
  return {
    plan: {
      connection: connection.name,
      compiled,
      tables: touchedTables(bound),
      parameterCount: bound.parameterTypes.length,
      ...(bound.cursors === undefined ? {} : { cursors: bound.cursors }),
    },
    adapter,
    recipe: createParameterRecipe(compiled, types, isInUtc),
    columnsJson: columnsJson(compiled.columns, types),
    precheck: compiled.isWrite
      ? preparePrecheck(parsed.nodes, authorized, adapter.compile, zone)
      : undefined,
    recheck: compiled.isWrite
      ? prepareRecheck(parsed.nodes, authorized, adapter.compile, zone)
      : undefined,
    checkFailure: () => checkDenial(authorized, access(connection)),
    withReportedFacts: (error, when) =>
      when === 'commit' || written === undefined
        ? withReportedFacts(error, access(connection))
        : withReportedFacts(error, access(connection), written),
    filteredTables: filteredTables(authorized),
    description: session && describeStatement(bound, compiled),
    mayReturnTooMany:
      compiled.isWrite && compiled.columns.length > 0 && mayWriteMoreThan(maxRows, bound),
    size: sizeOf(parsed.nodes, compiled),
    isLasting: compiled.isWrite || mayOutlastItself(bound),
  }
}

/** An INSERT of listed rows writes no more than those; the number of rows of any other write depends on the data. */
function mayWriteMoreThan(maxRows: number, { body }: BoundStatement): boolean {
  if (body.kind !== 'insert' || body.source.kind === 'query') return true
  return body.source.kind !== 'defaults' && body.source.rows.length > maxRows
}

/** The bound tree is kept for rechecks; a parameter has a source and a function that reads its value. */
const bytesOf = { node: 50, parameter: 200 } as const

function sizeOf(nodes: number, { steps }: CompiledStatement): number {
  const ofSteps = steps.map(
    ({ sql = '', parameters }) => sql.length + bytesOf.parameter * parameters.length,
  )
  return ofSteps.reduce((sum, size) => sum + size, bytesOf.node * nodes)
}

function touchedTables(statement: BoundStatement): Plan['tables'] {
  const found = new Map<string, { readonly table: string; readonly operation: Operation }>()
  const add = (table: string, operation: Operation) =>
    void found.set(`${operation} ${table}`, { table, operation })
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'table') add(`${item.table.connection}.${item.table.name}`, 'select')
    },
    write: ({ kind, target }) => add(`${target.table.connection}.${target.table.name}`, kind),
  })
  return [...found.values()]
}
