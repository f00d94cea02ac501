/** @module Several statements of one caller in one transaction, on a thread of their own. */

import type { Execution, ResultSet, Session, TransactionOptions } from '@engine/core/adapter'
import {
  type DeferredCommands,
  deferBegin,
  isReadCommitted,
  runTransaction as runBody,
} from '@engine/core/driver'
import { explained } from '../errors/driver-error.ts'
import type { TimeLimit } from './workers/time-limit.ts'
import type { Lease } from './workers/worker-pool.ts'
import type { ExecuteQuestion, Question } from './workers/worker-thread.ts'

export interface TransactionTools {
  /** @param isPatient should it wait for other writers? */
  acquire(isWrite: boolean, limit: TimeLimit, isPatient?: boolean): Promise<Lease>
  /** Sends a request; a fault in the reply is thrown. */
  send(lease: Lease, request: Question, limit: TimeLimit): Promise<ResultSet>
  question(execution: Execution): ExecuteQuestion
  /** Runs a statement outside of any transaction. */
  execute(execution: Execution): Promise<ResultSet>
  /** Throws the error that a commit would report for a deferred foreign key. */
  checkDeferred(lease: Lease, limit: TimeLimit): Promise<void>
}

/**
 * Commits when `body` resolves; rolls back when it rejects, when a statement failed and was not undone, or when the signal fires.
 * SQLite's transactions are serializable, and there is one at a time that may write. A transaction with `read committed` blocks
 * no other one before its first write.
 */
export async function runTransaction<T>(
  options: TransactionOptions,
  body: (session: Session) => Promise<T>,
  tools: TransactionTools,
): Promise<T> {
  const { commands, release } = commandsOf(options, tools)
  try {
    if (isReadCommitted(options)) {
      return await runBody(deferBegin(commands, tools.execute), body, options.signal)
    }
    // A transaction without an isolation level has all statements ready: it takes its turn at once.
    if (options.isolation === undefined) await commands.begin()
    return await runBody(commands, body, options.signal)
  } finally {
    release()
  }
}

function commandsOf(
  { timeoutMs, readOnly, signal }: TransactionOptions,
  { acquire, send, question, checkDeferred }: TransactionTools,
): { readonly commands: DeferredCommands; release(): void } {
  let lease: Lease | undefined

  const limit = (): TimeLimit => ({ deadline: performance.now() + timeoutMs, signal })
  const limitOf = ({ timeoutMs: ownMs, signal: stop }: Execution): TimeLimit => ({
    deadline: performance.now() + Math.min(timeoutMs, ownMs),
    signal: stop,
  })
  const tell = async (request: Question, within: TimeLimit = limit()): Promise<void> => {
    if (lease !== undefined) await send(lease, request, within)
  }
  const release = (): void => {
    lease?.release()
    lease = undefined
  }

  const commands: DeferredCommands = {
    begin: async (execution) => {
      if (lease !== undefined) return
      const isWrite = !readOnly
      const waiting = execution === undefined ? limit() : limitOf(execution)
      lease = await acquire(isWrite, waiting, execution === undefined || isPatient(execution))
      try {
        await tell({ kind: 'begin', isWrite }, waiting)
      } catch (error) {
        release()
        throw error
      }
    },
    execute: async (execution, isFirst) => {
      const { isWrite } = execution.statement
      if (isWrite && readOnly) throw explained('25006', true)
      if (isFirst) await commands.begin(execution)
      if (lease === undefined) throw explained('40001', isWrite)
      return send(lease, question(execution), limitOf(execution))
    },
    savepoint: (name) => tell({ kind: 'savepoint', name }),
    rollBackTo: (name) => tell({ kind: 'rollBackTo', name }),
    releaseSavepoint: (name) => tell({ kind: 'releaseSavepoint', name }),
    checkDeferred: async () => {
      if (lease !== undefined) await checkDeferred(lease, limit())
    },
    commit: () => tell({ kind: 'commit' }),
    rollBack: async () => {
      try {
        // The signal that stopped the transaction must not stop the rollback.
        await tell({ kind: 'rollback' }, { ...limit(), signal: undefined })
      } catch {
        // A thread that cannot roll back is abandoned when it is released, and its connection ends with it.
      } finally {
        release()
      }
    },
  }
  return { commands, release }
}

/** NOWAIT */
export function isPatient({ statement }: Execution): boolean {
  return statement.hints?.['nowait'] !== true
}
