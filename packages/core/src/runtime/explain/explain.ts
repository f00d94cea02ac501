/**
 * @module Explains the answer to a statement for one caller: it passes the same stages as a query, each is recorded, and nothing
 * runs.
 */

import type {
  AnswerExplanation,
  CallerExplanation,
  CallerFieldExplanation,
  LimitsExplanation,
  SentStatement,
  Stage,
  StatementExplanation,
} from '@engine/contract/admin-api'
import { bindStatement } from '../../compiler/bind/bind.ts'
import { fullAccessView } from '../../compiler/bind/scope/full-access-view.ts'
import type { BoundStatement } from '../../compiler/bind/tree/bound-query.ts'
import { isWrite } from '../../compiler/bind/tree/map-query.ts'
import type { Catalog, Connection } from '../../compiler/catalog/catalog.ts'
import { databaseOf } from '../../compiler/catalog/shared-database.ts'
import { relationDepth } from '../../compiler/limits/relation-depth.ts'
import { measureSyntax } from '../../compiler/limits/syntax-shape.ts'
import { distinctSlots } from '../../compiler/permissions/access/access.ts'
import { callerValue, fieldAt } from '../../compiler/permissions/access/caller-values.ts'
import type { Rights } from '../../compiler/permissions/access/rights.ts'
import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import type { PlanEvent } from '../../compiler/plan/plan-event.ts'
import type { ParsedStatement } from '../../compiler/sql/parse.ts'
import type { SqlValue } from '../../compiler/sql-types/value-source.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError, type Problem } from '../../foundation/errors.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
import { inPlanningTurns } from '../limits/planning-turns.ts'
import { timedPlanning } from '../limits/timed-planning.ts'
import { type PreparedPlan, preparePlan } from '../prepare/prepare-plan.ts'
import { withCurrentRows } from '../query/current-rows.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { appliedPermissions, fieldName, type VerdictContext } from './permission-verdicts.ts'
import { refusalFrom } from './refusal.ts'
import { retryWithFreshCatalog } from './retry-with-fresh-catalog.ts'
import { sentStatements } from './sent-statements.ts'
import { createTableExplainer } from './table-explanation.ts'
import { type TableUse, usesNamed, usesOf } from './table-uses.ts'

/** A statement to be explained. */
export interface ExplainRequest {
  readonly sql: string
  /** `params[0]` is `$1`; JSON values. None by default. */
  readonly params?: readonly unknown[]
}

/** Options for the content of an explanation. */
export interface ExplainOptions {
  /** Leaves out every value of the request and of the caller. Constants of permissions stay: they are configuration. */
  readonly redactValues?: boolean
  /**
   * Includes the database's own plan, where it has plans. Its estimates depend on rows that the caller cannot see: only for
   * holders of the master key.
   */
  readonly databasePlan?: boolean
}

/** The stages that a statement completed, and the error that stopped it. */
interface Progress {
  readonly snapshot: EngineSnapshot
  readonly rights: Rights
  readonly parsed: ParsedStatement | undefined
  readonly bound: BoundStatement | undefined
  readonly authorized: AuthorizedStatement | undefined
  readonly compiled: CompiledStatement | undefined
  readonly prepared: PreparedPlan | undefined
  readonly values: readonly (readonly SqlValue[])[] | undefined
  readonly error: GatewayError | undefined
  /** The stage where it stopped, if it did. */
  readonly stage: Stage
}

/** Runs nothing; it may only read the catalog again, as for a query with unknown names. */
export async function explainStatement(
  request: ExplainRequest,
  caller: Caller,
  options: ExplainOptions,
  environment: QueryEnvironment,
): Promise<StatementExplanation> {
  const progress = await retryWithFreshCatalog(environment, (touched) =>
    follow(request, caller, environment, touched),
  )
  const explanation = explanationOf(progress, caller, options, environment)
  if (options.databasePlan !== true) return explanation
  return {
    ...explanation,
    statements: await withPlans(explanation.statements, progress, environment),
  }
}

async function withPlans(
  statements: readonly SentStatement[],
  { prepared, values }: Progress,
  { settings }: QueryEnvironment,
): Promise<readonly SentStatement[]> {
  const { plan: { compiled } = {}, adapter } = prepared ?? {}
  if (adapter?.planLines === undefined || compiled === undefined || values === undefined) {
    return statements
  }
  const plans = await adapter.planLines({
    statement: compiled,
    values,
    rowShape: 'array',
    maxRows: mostPlanLines,
    timeoutMs: settings.limits.queryTimeoutMs,
    signal: undefined,
  })
  return statements.map((statement, i) => {
    const plan = plans[i]
    return plan === undefined ? statement : { ...statement, plan }
  })
}

const mostPlanLines = 10_000

/** Takes a statement through the stages of a query, up to the first that fails. */
async function follow(
  { sql, params = [] }: ExplainRequest,
  caller: Caller,
  { snapshots, settings, clock }: QueryEnvironment,
  touched: Set<string>,
): Promise<Progress> {
  const snapshot = snapshots.current()
  const rights = snapshot.rights.rightsOf(caller)
  const made: { -readonly [Kind in PlanEvent['kind']]?: PlanEvent & { readonly kind: Kind } } = {}
  let prepared: PreparedPlan | undefined
  let values: readonly (readonly SqlValue[])[] | undefined
  let error: GatewayError | undefined
  try {
    const steps = preparePlan(sql, params.length, {
      catalog: snapshot.catalog,
      access: rights.access,
      adapterOf: (connection) => {
        touched.add(connection.name)
        return snapshot.adapterOf(connection)
      },
      limits: settings.limits,
      trace: (event) => Object.assign(made, { [event.kind]: event }),
    })
    prepared = await inPlanningTurns(steps)
    values = prepared.recipe({
      params: withCurrentRows(prepared.plan, { params }),
      callerValues: rights.callerValues,
      timeMs: clock(),
    })
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown
    error = thrown
  }
  return {
    snapshot,
    rights,
    parsed: made.parsed?.statement,
    bound: made.bound?.statement,
    authorized: made.authorized?.statement,
    compiled: made.compiled?.statement,
    prepared,
    values,
    error,
    stage: stageOf(made, error),
  }
}

/** The stage of a problem, whichever stage reports it first. */
const stageOfProblem: ReadonlyMap<Problem, Stage> = new Map<Problem, Stage>([
  ['limitExceeded', 'limits'],
  ['permissionDenied', 'authorize'],
  ['columnDenied', 'authorize'],
])

/** The stage after the last one that completed. */
function stageOf(
  made: { readonly [Kind in PlanEvent['kind']]?: unknown },
  error: GatewayError | undefined,
): Stage {
  const stage = error === undefined ? undefined : stageOfProblem.get(error.problem)
  if (stage !== undefined) return stage
  if (made.parsed === undefined) return 'parse'
  if (made.bound === undefined) return 'bind'
  if (made.authorized === undefined) return 'authorize'
  return made.compiled === undefined ? 'compile' : 'values'
}

function explanationOf(
  progress: Progress,
  caller: Caller,
  { redactValues = false }: ExplainOptions,
  { settings }: QueryEnvironment,
): StatementExplanation {
  const { snapshot, rights, bound, authorized, compiled, values } = progress
  const uses = usesOfProgress(progress)
  const connection = bound?.connection ?? connectionNamed(uses, snapshot.catalog)
  const context = (of: Connection, { table }: TableUse): VerdictContext => ({
    access: rights.access(of),
    all: snapshot.permissionsOf(of).get(table.key) ?? [],
    isAuthenticated: caller.kind === 'user',
  })
  const explain = createTableExplainer({ bound, authorized, hidesConstants: redactValues })
  return {
    answer: answerOf(progress),
    caller:
      connection === undefined
        ? { ...callerPart(caller), hasFullRights: caller.kind === 'admin', fields: [] }
        : callerExplanation(caller, redactValues, {
            connection,
            contexts: uses.map((use) => context(connection, use)),
          }),
    connection: connection && { name: connection.name, kind: connection.kind },
    tables:
      connection === undefined ? [] : uses.map((use) => explain(use, context(connection, use))),
    limits: limitsOf(progress, settings.limits),
    statements:
      compiled === undefined || connection === undefined
        ? []
        : sentStatements(compiled, redactValues ? undefined : values, connection.types),
  }
}

/** A statement with names that the caller may not use is bound once more with full rights, to find its tables. */
function usesOfProgress({ bound, parsed, snapshot }: Progress): readonly TableUse[] {
  const statement = bound ?? (parsed && boundWithFullRights(parsed, snapshot.catalog))
  if (statement !== undefined) return usesOf(statement)
  return parsed === undefined ? [] : usesNamed(parsed, snapshot.catalog)
}

function boundWithFullRights(
  parsed: ParsedStatement,
  catalog: Catalog,
): BoundStatement | undefined {
  const { parameterCount, nodes } = parsed
  try {
    return timedPlanning({ nodes }, () =>
      bindStatement(parsed, { catalog, view: fullAccessView, parameterCount }),
    )
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

/** For a statement that cannot be bound: the connection, if all of its tables are in one. */
function connectionNamed(uses: readonly TableUse[], catalog: Catalog): Connection | undefined {
  const [found, ...others] = new Set(
    uses.map(({ table }) => {
      const connection = catalog.connections.get(table.connection)
      return connection && databaseOf(connection)
    }),
  )
  return others.length > 0 ? undefined : found
}

function answerOf({ error, stage, bound, authorized }: Progress): AnswerExplanation {
  if (error !== undefined) return { outcome: 'refused', stage, ...refusalFrom(error) }
  const body = (authorized ?? bound)?.body
  if (body === undefined || bound === undefined) throw new Error('a plan without a statement')
  const { types } = bound.connection
  const columns = isWrite(body) ? (body.returning?.columns ?? []) : body.columns
  return {
    outcome: 'runs',
    isWrite: isWrite(body) || body.ctes.some(({ query }) => isWrite(query)),
    columns: columns.map(({ name, type }) => ({
      name,
      type: types.formatType(type.oid, type.typmod),
    })),
  }
}

function callerPart({ kind, roles }: Caller): Pick<CallerExplanation, 'kind' | 'roles'> {
  return { kind, roles }
}

function callerExplanation(
  caller: Caller,
  redactValues: boolean,
  {
    connection,
    contexts,
  }: { readonly connection: Connection; readonly contexts: readonly VerdictContext[] },
): CallerExplanation {
  const { types } = connection
  const hasFullRights = contexts.some(({ access }) => access.isFull)
  const permissions = new Set(hasFullRights ? [] : contexts.flatMap(appliedPermissions))
  return {
    ...callerPart(caller),
    hasFullRights,
    fields: distinctSlots([...permissions]).map((slot): CallerFieldExplanation => {
      const value = callerValue(caller.fields, slot, types)
      const isThere = (fieldAt(caller.fields, slot.path) ?? null) !== null
      return {
        field: fieldName(slot),
        type: types.formatType(slot.type.oid, slot.type.typmod),
        state: value !== undefined ? 'present' : isThere ? 'unusable' : 'missing',
        ...(value === undefined || redactValues ? {} : { value }),
      }
    }),
  }
}

/** `maxRows` plus one row is requested, to distinguish a cut result from a complete one. */
function limitsOf(
  { parsed, bound, authorized }: Progress,
  limits: QueryEnvironment['settings']['limits'],
): LimitsExplanation {
  const { maxRows, queryTimeoutMs } = limits
  const body = authorized?.body
  const max = body === undefined || isWrite(body) ? undefined : body.limit?.max
  const shape = parsed && measureSyntax(parsed.statement)
  return {
    maxRows,
    permissionLimit: max === undefined || max > maxRows ? undefined : max,
    queryTimeoutMs,
    relationDepth: { allowed: limits.maxRelationDepth, measured: bound && relationDepth(bound) },
    filterNesting: { allowed: limits.maxFilterNesting, measured: shape?.filterNesting },
    filterConditions: { allowed: limits.maxFilterConditions, measured: shape?.filterConditions },
  }
}
