/** @module Plans for long-lived clients: the plan of a known statement object is found without reading its text. */

import type { SessionTimeZone } from '../../compiler/bind/tree/session-time-zone.ts'
import type { Rights } from '../../compiler/permissions/access/rights.ts'
import type { Caller } from '../../foundation/caller.ts'
import type { Steps } from '../../foundation/steps.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
import { inPlanningTurns } from '../limits/planning-turns.ts'
import type { PreparedPlan } from '../prepare/prepare-plan.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import { withCurrentRows } from '../query/current-rows.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { makePlan, type ReadyStatement, requireParameters } from '../query/run-query.ts'
import type { OpenExecution, SessionStatement } from './client-session.ts'

export interface SessionPlans {
  /**
   * A known plan is returned at once.
   *
   * @param touched receives the connection as soon as it is known.
   * @param signal aborted when the client no longer waits for the plan.
   * @throws {GatewayError} for faults of the text and for missing rights; `cancelled` when the signal is aborted.
   */
  planOf(
    statement: SessionStatement,
    caller: Caller,
    environment: QueryEnvironment,
    touched: Set<string>,
    signal?: AbortSignal | undefined,
  ): SessionPlan | Promise<SessionPlan>
  /**
   * @param transactionTimeMs start of the open transaction, in milliseconds since 1970
   * @throws {GatewayError} for wrong values.
   */
  ready(
    plan: SessionPlan,
    execution: Pick<OpenExecution, 'params' | 'currentRow'>,
    environment: QueryEnvironment,
    transactionTimeMs: number | undefined,
  ): ReadyStatement
}

export interface SessionPlan {
  readonly prepared: PreparedPlan
  readonly description: StatementDescription
  readonly rights: Rights
}

interface Remembered {
  readonly snapshot: EngineSnapshot
  readonly rightsKey: string
  readonly prepared: PreparedPlan
}

interface Found {
  readonly snapshot: EngineSnapshot
  readonly rights: Rights
  readonly known: PreparedPlan | undefined
}

type Planned = Pick<Found, 'snapshot' | 'rights'> & { readonly prepared: PreparedPlan }

export function createSessionPlans(): SessionPlans {
  /** The last plan of a statement object. */
  const remembered = new WeakMap<SessionStatement, Remembered>()

  const find = (
    statement: SessionStatement,
    caller: Caller,
    { snapshots }: QueryEnvironment,
  ): Found => {
    const snapshot = snapshots.current()
    const rights = snapshot.rights.rightsOf(caller)
    const last = remembered.get(statement)
    const isLast = last?.snapshot === snapshot && last.rightsKey === rights.key
    const known = isLast ? last.prepared : snapshot.plans.get(rights.key, keyOf(statement))
    return { snapshot, rights, known }
  }

  /** The steps of a plan that is not known. They begin when its turn has come: then it may be known. */
  function* plan(
    statement: SessionStatement,
    caller: Caller,
    environment: QueryEnvironment,
    touched: Set<string>,
  ): Steps<Planned> {
    const { snapshot, rights, known } = find(statement, caller, environment)
    if (known !== undefined) return { snapshot, rights, prepared: known }
    const { sql, parameterOids: declared, ...others } = statement
    const { searchPath, timeZone, textSearch, maxRows, isCursor } = others
    const session = { declared, searchPath, timeZone, textSearch, maxRows, isCursor }
    const planning = { snapshot, rights, environment, touched }
    const prepared = yield* makePlan(sql, undefined, session, planning)
    snapshot.plans.set(rights.key, keyOf(statement), prepared)
    return { snapshot, rights, prepared }
  }

  const use = (
    statement: SessionStatement,
    { snapshot, rights, prepared }: Planned,
    touched: Set<string>,
  ): SessionPlan => {
    remembered.set(statement, { snapshot, rightsKey: rights.key, prepared })
    touched.add(prepared.plan.connection)
    const { description } = prepared
    if (description === undefined) throw new Error('a plan of a session without a description')
    return { prepared, description, rights }
  }

  return {
    planOf: (statement, caller, environment, touched, signal) => {
      const { snapshot, rights, known } = find(statement, caller, environment)
      if (known !== undefined) {
        return use(statement, { snapshot, rights, prepared: known }, touched)
      }
      const steps = plan(statement, caller, environment, touched)
      return Promise.resolve(inPlanningTurns(steps, signal)).then((planned) =>
        use(statement, planned, touched),
      )
    },
    ready: ({ prepared, rights }, execution, environment, transactionTimeMs) => {
      requireParameters(prepared.plan.parameterCount, execution.params.length)
      const params = withCurrentRows(prepared.plan, execution)
      const { callerValues } = rights
      const timeMs = environment.clock()
      const request = { params, callerValues, timeMs, transactionTimeMs }
      return { prepared, request, values: prepared.recipe(request) }
    },
  }
}

/** The properties, besides rights, that distinguish plans of sessions. */
function keyOf(statement: SessionStatement): string {
  const { sql, parameterOids, searchPath, timeZone, textSearch = '', maxRows, isCursor } = statement
  const settings = `${timeZone?.name ?? ''}\0${settingsKey(timeZone)}\0${textSearch}`
  return `${sql}\0${parameterOids.join()}\0${searchPath.join()}\0${settings}\0${maxRows ?? ''}${isCursor === true ? ' cursor' : ''}`
}

/** Prepared statements keep how their literals were read, and are computed with the settings of now. */
function settingsKey(timeZone: SessionTimeZone | undefined): string {
  if (timeZone === undefined) return ''
  const { computedIn = '', styles } = timeZone
  return styles === undefined
    ? computedIn
    : `${computedIn} ${Object.values(styles.settings).join(' ')}`
}
