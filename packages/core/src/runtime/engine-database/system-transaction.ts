/** @module A transaction controlled by its holder: the first statement opens it, the holder commits or rolls back. */
import { GatewayError } from '../../foundation/errors.ts'
import { type PinnedTransaction, pinTransaction } from '../client-session/pinned-transaction.ts'
import type { ReadyStatement } from '../query/run-query.ts'
import type {
  SystemIdentity,
  SystemRows,
  SystemStatement,
  SystemStatements,
} from './system-statements.ts'

export interface SystemTransaction {
  /** @throws {GatewayError} `badRequest` for a statement on another connection than the first one's. */
  run(statement: SystemStatement): Promise<SystemRows>
  /** @throws {GatewayError} the database's error, or the reason for an earlier rollback. */
  commit(): Promise<void>
  /** Resolves when the transaction has completely ended. Also after a failed commit, and without any statement. */
  rollBack(): Promise<void>
}

export interface SystemTransactionOptions {
  readonly statements: SystemStatements
  readonly identity: SystemIdentity
  readonly readOnly: boolean
  /** Rolls back when it fires. */
  readonly signal: AbortSignal | undefined
}

/** Rolled back after `queryTimeout` when its holder does not end it. */
export function createSystemTransaction(options: SystemTransactionOptions): SystemTransaction {
  const { statements, identity, readOnly } = options
  const { timeoutMs } = statements
  let opening: Promise<PinnedTransaction> | undefined
  let tail: Promise<unknown> = Promise.resolve()

  const open = (first: ReadyStatement): Promise<PinnedTransaction> => {
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal])
    const { adapter, plan } = first.prepared
    return pinTransaction({
      adapter,
      connection: plan.connection,
      options: { timeoutMs, readOnly, signal },
      whyAborted: () => (limit.aborted ? tooLong() : stopped()),
      whenIdle: () => tail.catch(() => undefined),
    })
  }

  const attempt = async (statement: SystemStatement): Promise<SystemRows> => {
    const ready = await statements.prepare(statement, opening !== undefined)
    opening ??= open(ready)
    const { connection, session, signal, isEnding } = await opening
    const wanted = ready.prepared.plan.connection
    if (wanted !== connection) throw otherConnection(connection, wanted)
    // Once the transaction has ended, the pool gives the session to another request.
    if (isEnding()) throw rolledBack()
    return statements.runIn(session, ready, { ...statement, signal }, identity)
  }

  return {
    run: (statement) => {
      const result = tail.then(() => attempt(statement))
      tail = result.catch(() => undefined)
      return result
    },
    commit: async () => {
      await tail
      if (opening === undefined) return
      const { end, done } = await opening
      end(undefined)
      await done
    },
    rollBack: async () => {
      const transaction = await opening?.catch(() => undefined)
      if (transaction === undefined) return
      transaction.end(rolledBack())
      // Whatever the database reports now, the transaction has ended.
      await transaction.done.catch(() => undefined)
    },
  }
}

function otherConnection(connection: string, wanted: string): GatewayError {
  return new GatewayError(
    'badRequest',
    `A transaction runs on one connection: this one on "${connection}", its statement on "${wanted}".`,
  )
}

function rolledBack(): GatewayError {
  return new GatewayError('badRequest', 'The transaction was rolled back.', { sqlState: '25P01' })
}

function tooLong(): GatewayError {
  const message = 'The transaction took too long and was rolled back.'
  return new GatewayError('queryTimeout', message, { sqlState: '57014' })
}

function stopped(): GatewayError {
  const message = 'The transaction was rolled back: nobody waits for it any more.'
  return new GatewayError('unavailable', message, { sqlState: '57014' })
}
