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
  { timeoutMs, lifeMs, enter }: ClientTransactionLimits,
): ClientTransaction {
  let modes = begun
  let opening: Promise<PinnedTransaction> | undefined
  let pinned: PinnedTransaction | undefined
  let running: Promise<unknown> = Promise.resolve()
  const savepoints = createSavepoints()
  const abandoned = new AbortController()
  /** Releases the slot. */
  let leave: (() => void) | undefined
  let hasExpired = false
  const whyEnded = () => (hasExpired ? expired() : rolledBack())

  const pin = ({ adapter, plan }: TransactionPlace): Promise<PinnedTransaction> =>
    pinTransaction({
      adapter,
      connection: plan.connection,
      options: {
        timeoutMs,
        readOnly: modes.readOnly,
        isolation: modes.isolation ?? usualIsolation,
        ownNumbers: true,
        signal: abandoned.signal,
      },
      whyAborted: whyEnded,
      whenIdle: () => running.catch(() => undefined),
    })

  const eitherSignal = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? abandoned.signal : AbortSignal.any([abandoned.signal, signal])

  const open = async (prepared: TransactionPlace): Promise<PinnedTransaction> => {
    const transaction = await pin(prepared)
    const life = setTimeout(() => {
      hasExpired = true
      abandoned.abort()
    }, lifeMs)
    const finish = () => {
      clearTimeout(life)
      leave?.()
    }
    transaction.done.then(finish, finish)
    pinned = transaction
    await savepoints.open(transaction.session)
    return transaction
  }

  /** A transaction that only reads blocks no other; see `isReadCommitted`. */
  const holdsConnection = ({ isLasting }: TransactionPlace, isCursor: boolean): boolean =>
    isLasting || isCursor || !isReadCommitted({ isolation: modes.isolation ?? usualIsolation })

  /** Keeps its slot until it has completely ended. */
  const enterOnce = async (
    { plan }: TransactionPlace,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    if (leave !== undefined) return
    leave = await enter(plan.connection, eitherSignal(signal))
  }

  /** Undefined before the first statement. */
  const openSession = (): GuardedSession | undefined => {
    if (pinned?.isEnding() === true) throw whyEnded()
    return pinned?.session
  }

  return {
    isolation: () => modes.isolation ?? usualIsolation,
    isOn: (connection) => pinned?.connection === connection,
    hasBegun: () => pinned !== undefined,
    characterize: (options) => {
      if (pinned !== undefined && 'isolation' in options) throw tooLate()
      modes = { ...modes, ...options }
    },
    use: async (prepared, work, signal, isCursor = false) => {
      const { connection, compiled } = prepared.plan
      if (modes.readOnly && compiled.isWrite) throw readOnly()
      if (holdsConnection(prepared, isCursor)) await enterOnce(prepared, signal)
      opening ??= open(prepared)
      const transaction = await opening
      if (transaction.connection !== connection) {
        throw otherConnection(transaction.connection, connection)
      }
      if (transaction.isEnding()) throw whyEnded()
      const result = work(transaction.session).catch((error: unknown) => {
        throw hasExpired ? expired() : error
      })
      running = result
      return result
    },
    savepoint: async (name) => savepoints.set(name, openSession()),
    rollBackTo: async (name) => savepoints.rollBackTo(name, openSession()),
    release: async (name) => savepoints.release(name, openSession()),
    commit: async () => {
      await opening?.catch(() => undefined)
      if (pinned === undefined) leave?.()
      pinned?.end(undefined)
      await pinned?.done
    },
    rollBack: async () => {
      abandoned.abort()
      await opening?.catch(() => undefined)
      if (pinned === undefined) leave?.()
      // Whatever the database reports now, the transaction has ended.
      await pinned?.done.catch(() => undefined)
    },
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
