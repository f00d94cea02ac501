import { GatewayError } from '../../foundation/errors.ts'
import type { Execution, ResultSet, TransactionOptions } from './adapter.ts'
import type { TransactionCommands } from './transaction-body.ts'

/** The commands of a transaction. `begin` opens it, and opens it again after a rollback. */
export interface DeferredCommands extends TransactionCommands {
  /** @param execution the statement that opens the transaction: its timeout also limits the wait for a connection. */
  begin(execution?: Execution): Promise<void>
  savepoint(name: string): Promise<void>
  rollBackTo(name: string): Promise<void>
  releaseSavepoint(name: string): Promise<void>
}

/** Can BEGIN wait for the first write? At this level each statement sees the data committed when the statement began. */
export function isReadCommitted({ isolation }: Pick<TransactionOptions, 'isolation'>): boolean {
  return isolation === 'read committed' || isolation === 'read uncommitted'
}

/**
 * A transaction for databases where an open one blocks others: reads before the first write run outside of it. It
 * guarantees `read committed`, nothing stricter.
 *
 * @param alone runs a read outside of any transaction
 * @param belongs is it a read that only makes sense in the transaction, such as one that locks rows?
 */
export function deferBegin(
  commands: DeferredCommands,
  alone: (execution: Execution) => Promise<ResultSet>,
  belongs: (execution: Execution) => boolean = () => false,
): TransactionCommands {
  let isOpen = false
  /** Oldest first. */
  let savepoints: readonly string[] = []
  /** The number of savepoints that were set before the database's transaction was opened. */
  let older = 0

  const placeOf = (name: string): number => {
    const index = savepoints.indexOf(name)
    if (index < 0) throw new GatewayError('internal', 'a savepoint was never set')
    return index
  }
  const rollBack = async (): Promise<void> => {
    if (isOpen) await commands.rollBack()
    isOpen = false
  }

  const begin = async (execution?: Execution): Promise<void> => {
    if (isOpen) return
    await commands.begin(execution)
    isOpen = true
    older = savepoints.length
  }
  const { open, notify } = commands

  return {
    execute: async (execution) => {
      const isAlone = !isOpen && !execution.statement.isWrite && !belongs(execution)
      if (isAlone) return alone(execution)
      await begin(execution)
      return commands.execute(execution, false)
    },
    ...(open && {
      open: async (execution: Execution) => {
        await begin(execution)
        return open(execution, false)
      },
    }),
    ...(notify && {
      notify: async (channel: string, payload: string) => {
        await begin()
        return await notify(channel, payload)
      },
    }),
    savepoint: async (name) => {
      if (isOpen) await commands.savepoint(name)
      savepoints = [...savepoints, name]
    },
    rollBackTo: async (name) => {
      const index = placeOf(name)
      // Nothing was written before the savepoint: the rollback allows other transactions to write.
      if (isOpen && index < older) await rollBack()
      else if (isOpen) await commands.rollBackTo(name)
      savepoints = savepoints.slice(0, index + 1)
    },
    releaseSavepoint: async (name) => {
      const index = placeOf(name)
      if (isOpen && index >= older) await commands.releaseSavepoint(name)
      savepoints = savepoints.slice(0, index)
      older = Math.min(older, index)
    },
    checkDeferred: async () => {
      if (isOpen) await commands.checkDeferred?.()
    },
    commit: async () => {
      if (isOpen) await commands.commit()
    },
    rollBack,
  }
}
