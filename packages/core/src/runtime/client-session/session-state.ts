/** @module What a client's session remembers from one statement to the next. */

import { fullRightsKey } from '../../compiler/permissions/access/rights.ts'
import type { RequestOrigin } from '../../foundation/audit-event.ts'
import type { Caller } from '../../foundation/caller.ts'
import type { EngineSnapshot } from '../databases/snapshot.ts'
import type { PreparedPlan } from '../prepare/prepare-plan.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import type { SessionPlans } from './session-plans.ts'
import type { ClientTransaction } from './session-transaction.ts'
import type { VisibleCatalog } from './visible-catalog.ts'

export interface ClientSessionOptions {
  readonly caller: Caller
  /** The client's address, recorded with its statements. */
  readonly origin: RequestOrigin
  /** Of the next statement or transaction; another one after every change of the configuration. */
  readonly environment: () => QueryEnvironment
  /** See `EngineOptions.upToDate`. */
  readonly upToDate?: (() => Promise<void> | undefined) | undefined
  readonly plans: SessionPlans
  readonly visible: (caller: Caller, snapshot: EngineSnapshot) => VisibleCatalog
}

/** Changed by the methods of the session, and by nothing else; `last` by the statements. */
export interface SessionState {
  readonly options: ClientSessionOptions
  caller: Caller
  origin: RequestOrigin
  /** Undefined while no transaction is open. */
  open: OpenTransaction | undefined
  /** Plan of the last statement that ran. */
  last: PreparedPlan | undefined
}

export interface OpenTransaction {
  readonly transaction: ClientTransaction
  /** All its statements run in the environment in which it began. */
  readonly environment: QueryEnvironment
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
}

/** Of the next statement: the open transaction's, otherwise the newest. */
export function environmentOf({ open, options }: SessionState): QueryEnvironment {
  return open === undefined ? options.environment() : open.environment
}

/** Does the session hold a connection? Whatever it waits for must then not need another one. */
export function isHolding({ open }: SessionState): boolean {
  return open?.transaction.hasBegun() === true
}

/** The part of the catalog that the caller may see. */
export function visibleTo(state: SessionState): VisibleCatalog {
  return state.options.visible(state.caller, environmentOf(state).snapshots.current())
}

/** May the caller see and do everything? */
export function hasFullRights({ caller }: SessionState, { snapshots }: QueryEnvironment): boolean {
  return snapshots.current().rights.rightsOf(caller).key === fullRightsKey
}
