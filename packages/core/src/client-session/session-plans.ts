/** @module Plans for clients that stay: those of a statement object are found without looking at its text. */
import type { Caller } from '../caller.ts'
import type { Generation } from '../generation.ts'
import type { Rights } from '../permissions/rights.ts'
import type { PreparedPlan } from '../prepare-plan.ts'
import {
  makePlan,
  type QueryEnvironment,
  type ReadyStatement,
  requireParameters,
} from '../run-query.ts'
import type { SessionStatement, StatementDescription } from './client-session.ts'

export interface SessionPlans {
  /**
   * @param touched receives the connection as soon as it is known.
   * @throws {GatewayError} whatever is wrong with text or rights.
   */
  planOf(statement: SessionStatement, caller: Caller, touched: Set<string>): SessionPlan
  /** @throws {GatewayError} whatever is wrong with the values. */
  ready(plan: SessionPlan, params: readonly (string | null)[]): ReadyStatement
}

export interface SessionPlan {
  readonly prepared: PreparedPlan
  readonly description: StatementDescription
  readonly rights: Rights
}

interface Remembered {
  readonly generation: Generation
  readonly rightsKey: string
  readonly prepared: PreparedPlan
}

export function createSessionPlans(environment: QueryEnvironment): SessionPlans {
  /** The plan that a statement object had last. */
  const remembered = new WeakMap<SessionStatement, Remembered>()

  const find = (
    statement: SessionStatement,
    generation: Generation,
    rights: Rights,
    touched: Set<string>,
  ): PreparedPlan => {
    const last = remembered.get(statement)
    if (last?.generation === generation && last.rightsKey === rights.key) return last.prepared
    const { sql, parameterOids, searchPath, timeZone } = statement
    const zones = `${timeZone?.name ?? ''}\0${timeZone?.computedIn ?? ''}`
    const key = `${sql}\0${parameterOids.join()}\0${searchPath.join()}\0${zones}`
    const known = generation.plans.get(rights.key, key)
    const session = { declared: parameterOids, searchPath, timeZone }
    const prepared =
      known ?? makePlan(sql, undefined, session, { generation, rights, environment, touched })
    if (known === undefined) generation.plans.set(rights.key, key, prepared)
    remembered.set(statement, { generation, rightsKey: rights.key, prepared })
    return prepared
  }

  return {
    planOf: (statement, caller, touched) => {
      const generation = environment.generations.current()
      const rights = generation.rights.rightsOf(caller)
      const prepared = find(statement, generation, rights, touched)
      touched.add(prepared.plan.connection)
      const { description } = prepared
      if (description === undefined) throw new Error('a plan of a session without a description')
      return { prepared, description, rights }
    },
    ready: ({ prepared, rights }, params) => {
      requireParameters(prepared.plan.parameterCount, params.length)
      const { callerValues } = rights
      const request = { params, callerValues, timeMs: environment.clock() }
      return { prepared, request, values: prepared.recipe(request) }
    },
  }
}
