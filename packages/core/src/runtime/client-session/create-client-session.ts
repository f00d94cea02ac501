/** @module A client's session with the engine: one state, and what each call does to it. */

import type { PlanLineOptions } from '../../compiler/plan/plan-options.ts'
import type { Settings } from '../../config/settings/settings.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { sleep } from '../execute/sleep.ts'
import { concurrencyKey, withSlot } from '../limits/with-slot.ts'
import type { StatementDescription } from '../prepare/statement-description.ts'
import { refreshCatalogs } from '../schema/refresh-catalog.ts'
import { auditedText } from './audited-work.ts'
import type {
  ClientSession,
  OpenExecution,
  SessionChannels,
  SessionCursor,
  SessionExecution,
  SessionResult,
  SessionStatement,
  SessionTransaction,
  SleepRequest,
} from './client-session.ts'
import { describeStatement } from './describe-statement.ts'
import { executeStatement } from './execute-statement.ts'
import { explainPlan } from './explain-plan.ts'
import { learnTimeZone } from './learn-time-zone.ts'
import { openCursor } from './open-cursor.ts'
import { createSessionChannels } from './session-channels.ts'
import {
  type ClientSessionOptions,
  environmentOf,
  hasFullRights,
  isHolding,
  type SessionState,
  visibleTo,
} from './session-state.ts'
import {
  type ClientTransaction,
  type ClientTransactionLimits,
  createClientTransaction,
} from './session-transaction.ts'
import type { VisibleCatalog } from './visible-catalog.ts'

/** Milliseconds that a transaction may last by default. */
const usualTransactionMs = 600_000

export function createClientSession(options: ClientSessionOptions): ClientSession {
  return new EngineSession(options)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class EngineSession implements ClientSession {
  readonly channels: SessionChannels
  readonly #state: SessionState

  constructor(options: ClientSessionOptions) {
    const { caller, origin } = options
    this.#state = { options, caller, origin, open: undefined, last: undefined }
    this.channels = createSessionChannels(this.#state)
  }

  caller(): Caller {
    return this.#state.caller
  }

  become(caller: Caller, credentialId: string | undefined): void {
    this.#state.caller = caller
    this.#state.origin = { ...this.#state.origin, credentialId }
  }

  rights(): string {
    const { snapshots, rightsVersion } = environmentOf(this.#state)
    const { key, callerValues } = snapshots.current().rights.rightsOf(this.#state.caller)
    return JSON.stringify([key, rightsVersion, this.visible().key, [...callerValues]])
  }

  catalogState(): object {
    return environmentOf(this.#state).snapshots.current()
  }

  configuration(): Settings {
    return environmentOf(this.#state).settings
  }

  visible(): VisibleCatalog {
    return visibleTo(this.#state)
  }

  isUnrestricted(): boolean {
    return hasFullRights(this.#state, environmentOf(this.#state))
  }

  upToDate(): Promise<void> | undefined {
    return this.#state.options.upToDate?.()
  }

  refresh(): Promise<void> {
    return environmentOf(this.#state).refresh(isHolding(this.#state))
  }

  async refreshOf(connection: string): Promise<void> {
    const { sources, log } = environmentOf(this.#state)
    const source = sources.get(connection)
    if (source !== undefined) await refreshCatalogs([source], log, isHolding(this.#state))
  }

  learnTimeZone(zone: string): Promise<void> | undefined {
    const { sources, log } = environmentOf(this.#state)
    return learnTimeZone(zone, sources.values(), log, isHolding(this.#state))
  }

  describe(
    statement: SessionStatement,
    signal?: AbortSignal | undefined,
  ): Promise<StatementDescription> {
    return describeStatement(this.#state, statement, signal)
  }

  execute(statement: SessionStatement, execution: SessionExecution): Promise<SessionResult> {
    return executeStatement(this.#state, statement, execution)
  }

  explain(
    statement: SessionStatement,
    execution: OpenExecution,
    options: PlanLineOptions,
  ): Promise<readonly string[]> {
    return explainPlan(this.#state, statement, execution, options)
  }

  async open(statement: SessionStatement, execution: OpenExecution): Promise<SessionCursor> {
    return openCursor(this.#state, this.#transaction(), statement, execution)
  }

  async sleep(request: SleepRequest, seconds: number): Promise<void> {
    const { caller, origin, open } = this.#state
    const { signal } = request
    const environment = environmentOf(this.#state)
    const { concurrency, settings } = environment
    const wait = { timeoutMs: settings.limits.queryTimeoutMs, signal }
    const place = { connection: undefined, caller: concurrencyKey(caller, origin.ip) }
    await auditedText(this.#state, environment, request, async () => {
      await (open === undefined
        ? withSlot(concurrency, place, wait, (limits) => sleep(seconds, limits))
        : sleep(seconds, wait))
      return { rowCount: 1 }
    })
  }

  begin(modes: SessionTransaction): void {
    if (this.#state.open !== undefined) {
      throw new GatewayError('badRequest', 'there is already a transaction in progress', {
        sqlState: '25001',
      })
    }
    const environment = this.#state.options.environment()
    const { settings, openTransactions, uses, clock } = environment
    const { queryTimeoutMs: timeoutMs } = settings.limits
    const lifeMs = settings.pgWire?.transactionTimeoutMs ?? usualTransactionMs
    const enter: ClientTransactionLimits['enter'] = (connection, signal) => {
      const { caller, origin } = this.#state
      const key = concurrencyKey(caller, origin.ip)
      return openTransactions.enter(connection, key, { timeoutMs, signal })
    }
    const transaction = createClientTransaction(modes, { timeoutMs, lifeMs, enter })
    this.#state.open = { transaction, environment, startedAtMs: clock() }
    uses.begin()
  }

  startedAtMs(): number | undefined {
    return this.#state.open?.startedAtMs
  }

  characterize(modes: Partial<SessionTransaction>): void {
    this.#transaction().characterize(modes)
  }

  async commit(): Promise<void> {
    try {
      await this.#finish((ended) => ended.commit())
    } catch (error) {
      const { last } = this.#state
      throw last === undefined ? error : last.withReportedFacts(error, 'commit')
    }
  }

  rollBack(): Promise<void> {
    return this.#finish((ended) => ended.rollBack())
  }

  async savepoint(name: string): Promise<void> {
    await this.#transaction().savepoint(name)
  }

  async rollBackTo(name: string): Promise<void> {
    await this.#transaction().rollBackTo(name)
  }

  async release(name: string): Promise<void> {
    await this.#transaction().release(name)
  }

  end(): Promise<void> {
    return this.rollBack()
  }

  /** @throws {GatewayError} 25P01 */
  #transaction(): ClientTransaction {
    const { open } = this.#state
    if (open !== undefined) return open.transaction
    throw new GatewayError('badRequest', 'there is no transaction in progress', {
      sqlState: '25P01',
    })
  }

  /** In every case, there is no transaction afterwards. */
  async #finish(work: (ended: ClientTransaction) => Promise<void>): Promise<void> {
    const { open } = this.#state
    if (open === undefined) return
    this.#state.open = undefined
    try {
      await work(open.transaction)
    } finally {
      open.environment.uses.end()
    }
  }
}
