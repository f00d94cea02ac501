/** @module The transaction of a long-lived client: it begins on the connection of its first statement. */

import { GatewayError } from '../../foundation/errors.ts'
import type { IsolationLevel } from '../adapter/adapter.ts'
import { isReadCommitted } from '../adapter/deferred-begin.ts'
import type { GuardedAdapter, GuardedSession } from '../guard/guarded-adapter.ts'
import type { SessionTransaction } from './client-session.ts'
import { type PinnedTransaction, pinTransaction } from './pinned-transaction.ts'
import { createSavepoints } from './savepoints.ts'

/** Where a statement runs, and what it does there: a `PreparedPlan` is one. */
export interface TransactionPlace {
  readonly adapter: Pick<GuardedAdapter, 'transaction'>
  readonly plan: { readonly connection: string; readonly compiled: { readonly isWrite: boolean } }
  /** The transaction holds a connection from now on. */
  readonly isLasting: boolean
}

export interface ClientTransaction {
  characterize(options: Partial<SessionTransaction>): void
  isolation(): IsolationLevel
  /** Has it begun, and on this connection? */
  isOn(connection: string): boolean
  /** Has it begun? Then it may hold a connection. */
  hasBegun(): boolean
  /**
   * Runs `work` on its connection, alone; the first call opens the transaction there.
   *
   * @param signal aborted when the client no longer waits for the transaction to open.
   * @param isCursor it leaves a cursor open, though it only reads.
   * @throws {GatewayError} 0A000 for another connection than that of the first statement, 25006 for a write in a read-only
   *   transaction, 25P04 when it has lasted too long, 53300 when too many others are open.
   */
  use<T>(
    prepared: TransactionPlace,
    work: (session: GuardedSession) => Promise<T>,
    signal?: AbortSignal | undefined,
    isCursor?: boolean,
  ): Promise<T>
  savepoint(name: string): Promise<void>
  rollBackTo(name: string): Promise<void>
  release(name: string): Promise<void>
  /** @throws {GatewayError} the database's error: then nothing was written. */
  commit(): Promise<void>
  /** Resolves when the transaction has completely ended. */
  rollBack(): Promise<void>
}

/** PostgreSQL's default; with it readers of a database with one writer need not wait for each other. */
const usualIsolation: IsolationLevel = 'read committed'

export interface ClientTransactionLimits {
  readonly timeoutMs: number
  /** Milliseconds from its first statement; then it is rolled back. */
  readonly lifeMs: number
  /** Takes a slot among the open transactions of a connection; the returned function releases it. */
  readonly enter: (connection: string, signal: AbortSignal) => Promise<() => void>
}

export function createClientTransaction(
  begun: SessionTransaction,
  limits: ClientTransactionLimits,
): ClientTransaction {
  return new TransactionOfClient(begun, limits)
}

/** A class: what is open on the database, and how it ends, change together (decision 0088). */
class TransactionOfClient implements ClientTransaction {
  #modes: SessionTransaction
  readonly #limits: ClientTransactionLimits
  #opening: Promise<PinnedTransaction> | undefined
  #pinned: PinnedTransaction | undefined
  #running: Promise<unknown> = Promise.resolve()
  readonly #savepoints = createSavepoints()
  readonly #abandoned = new AbortController()
  /** Releases the slot. */
  #leave: (() => void) | undefined
  #hasExpired = false

  constructor(begun: SessionTransaction, limits: ClientTransactionLimits) {
    this.#modes = begun
    this.#limits = limits
  }

  isolation(): IsolationLevel {
    return this.#modes.isolation ?? usualIsolation
  }

  isOn(connection: string): boolean {
    return this.#pinned?.connection === connection
  }

  hasBegun(): boolean {
    return this.#pinned !== undefined
  }

  characterize(options: Partial<SessionTransaction>): void {
    if (this.#pinned !== undefined && 'isolation' in options) throw tooLate()
    this.#modes = { ...this.#modes, ...options }
  }

  async use<T>(
    prepared: TransactionPlace,
    work: (session: GuardedSession) => Promise<T>,
    signal?: AbortSignal | undefined,
    isCursor = false,
  ): Promise<T> {
    const { connection, compiled } = prepared.plan
    if (this.#modes.readOnly && compiled.isWrite) throw readOnly()
    if (this.#holdsConnection(prepared, isCursor)) await this.#enterOnce(prepared, signal)
    this.#opening ??= this.#open(prepared)
    const transaction = await this.#opening
    if (transaction.connection !== connection) {
      throw otherConnection(transaction.connection, connection)
    }
    if (transaction.isEnding()) throw this.#whyEnded()
    const result = work(transaction.session).catch((error: unknown) => {
      throw this.#hasExpired ? expired() : error
    })
    this.#running = result
    return result
  }

  async savepoint(name: string): Promise<void> {
    await this.#savepoints.set(name, this.#openSession())
  }

  async rollBackTo(name: string): Promise<void> {
    await this.#savepoints.rollBackTo(name, this.#openSession())
  }

  async release(name: string): Promise<void> {
    await this.#savepoints.release(name, this.#openSession())
  }

  async commit(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    if (this.#pinned === undefined) this.#leave?.()
    this.#pinned?.end(undefined)
    await this.#pinned?.done
  }

  async rollBack(): Promise<void> {
    this.#abandoned.abort()
    await this.#opening?.catch(() => undefined)
    if (this.#pinned === undefined) this.#leave?.()
    // Whatever the database reports now, the transaction has ended.
    await this.#pinned?.done.catch(() => undefined)
  }

  #pin({ adapter, plan }: TransactionPlace): Promise<PinnedTransaction> {
    return pinTransaction({
      adapter,
      connection: plan.connection,
      options: {
        timeoutMs: this.#limits.timeoutMs,
        readOnly: this.#modes.readOnly,
        isolation: this.#modes.isolation ?? usualIsolation,
        ownNumbers: true,
        signal: this.#abandoned.signal,
      },
      whyAborted: () => this.#whyEnded(),
      whenIdle: () => this.#running.catch(() => undefined),
    })
  }

  #eitherSignal(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined
      ? this.#abandoned.signal
      : AbortSignal.any([this.#abandoned.signal, signal])
  }

  async #open(prepared: TransactionPlace): Promise<PinnedTransaction> {
    const transaction = await this.#pin(prepared)
    const life = setTimeout(() => {
      this.#hasExpired = true
      this.#abandoned.abort()
    }, this.#limits.lifeMs)
    const finish = () => {
      clearTimeout(life)
      this.#leave?.()
    }
    transaction.done.then(finish, finish)
    this.#pinned = transaction
    await this.#savepoints.open(transaction.session)
    return transaction
  }

  /** A transaction that only reads blocks no other; see `isReadCommitted`. */
  #holdsConnection({ isLasting }: TransactionPlace, isCursor: boolean): boolean {
    return (
      isLasting ||
      isCursor ||
      !isReadCommitted({ isolation: this.#modes.isolation ?? usualIsolation })
    )
  }

  /** Keeps its slot until it has completely ended. */
  async #enterOnce({ plan }: TransactionPlace, signal: AbortSignal | undefined): Promise<void> {
    if (this.#leave !== undefined) return
    this.#leave = await this.#limits.enter(plan.connection, this.#eitherSignal(signal))
  }

  /** Undefined before the first statement. */
  #openSession(): GuardedSession | undefined {
    if (this.#pinned?.isEnding() === true) throw this.#whyEnded()
    return this.#pinned?.session
  }

  #whyEnded(): GatewayError {
    return this.#hasExpired ? expired() : rolledBack()
  }
}

function otherConnection(connection: string, wanted: string): GatewayError {
  return new GatewayError(
    'badRequest',
    `A transaction runs on one connection: this one on "${connection}", its statement on "${wanted}".`,
    { sqlState: '0A000' },
  )
}

function readOnly(): GatewayError {
  return new GatewayError('badRequest', 'cannot write in a read-only transaction', {
    sqlState: '25006',
  })
}

function rolledBack(): GatewayError {
  return new GatewayError('badRequest', 'The transaction was rolled back.', { sqlState: '25P02' })
}

/** @see ERRCODE_TRANSACTION_TIMEOUT of PostgreSQL 17 */
function expired(): GatewayError {
  return new GatewayError('queryTimeout', 'The transaction lasted too long: it was rolled back.', {
    sqlState: '25P04',
  })
}

function tooLate(): GatewayError {
  return new GatewayError(
    'badRequest',
    'SET TRANSACTION ISOLATION LEVEL must be called before any query',
    { sqlState: '25001' },
  )
}
