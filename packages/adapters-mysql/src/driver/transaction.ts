import {
  type Execution,
  GatewayError,
  type ResultSet,
  type Session,
  type TransactionOptions,
} from '@engine/core/adapter'
import {
  type DeferredCommands,
  deferBegin,
  isReadCommitted,
  runTransaction,
} from '@engine/core/driver'
import { driverError, isServerError } from '../errors/driver-error.ts'
import type { CancelStatement } from './cancel.ts'
import { retryInTransaction } from './retry-conflicts.ts'
import { runStatement } from './run-statement.ts'
import type { MysqlSession } from './session.ts'

/** The options for opening a transaction. */
export type TransactionModes = Pick<TransactionOptions, 'readOnly' | 'isolation' | 'signal'>

export interface TransactionTools {
  /** Acquires a connection for the duration of the transaction; the wait ends when the signal fires. */
  acquire(signal: AbortSignal | undefined): Promise<MysqlSession>
  release(session: MysqlSession): void
  readonly cancel: CancelStatement
  /**
   * Runs a read outside of any transaction; if present, a `read committed` transaction takes its connection at the first write.
   */
  readonly alone: ((execution: Execution) => Promise<ResultSet>) | undefined
}

/**
 * Runs `body` in one transaction, which begins with its first statement.
 *
 * @throws {GatewayError} the error of `body`, or that of COMMIT.
 */
export async function inTransaction<T>(
  modes: TransactionModes,
  tools: TransactionTools,
  body: (transaction: Session) => Promise<T>,
): Promise<T> {
  const { commands, release } = commandsOf(modes, tools)
  const { alone } = tools
  const isLate = alone !== undefined && isReadCommitted(modes)
  try {
    return await runTransaction(isLate ? deferBegin(commands, alone) : commands, body, modes.signal)
  } finally {
    release()
  }
}

function commandsOf(
  modes: TransactionModes,
  tools: TransactionTools,
): { readonly commands: DeferredCommands; release(): void } {
  let session: MysqlSession | undefined

  const opened = (): MysqlSession => {
    if (session === undefined) throw new GatewayError('internal', 'a transaction was never begun')
    return session
  }
  const release = (): void => {
    if (session !== undefined) tools.release(session)
    session = undefined
  }
  const commands: DeferredCommands = {
    begin: async (execution) => {
      session = await tools.acquire(execution?.signal ?? modes.signal)
      await begin(session, modes)
    },
    execute: async (execution, isFirst) => {
      if (isFirst) await commands.begin(execution)
      return retryInTransaction(opened(), execution, () =>
        runStatement(opened(), execution, tools.cancel, true),
      )
    },
    savepoint: (name) => command(opened(), `savepoint ${name}`),
    rollBackTo: (name) => rollBackTo(opened(), name),
    releaseSavepoint: (name) => command(opened(), `release savepoint ${name}`),
    commit: () => commit(opened()),
    rollBack: async () => {
      if (session !== undefined) await rollBack(session)
      release()
    },
  }
  return { commands, release }
}

async function begin(
  session: MysqlSession,
  { readOnly, isolation }: TransactionModes,
): Promise<void> {
  session.setInTransaction(true)
  try {
    // Sets the level of the next transaction only; sessions have `read committed` by default.
    if (isolation !== undefined && isolation !== 'read committed') {
      await session.command(`set transaction isolation level ${isolation}`)
    }
    await session.command(readOnly ? 'start transaction read only' : 'start transaction')
  } catch (error) {
    session.condemn()
    throw driverError(error, false)
  }
}

async function command(session: MysqlSession, text: string): Promise<void> {
  try {
    await session.command(text)
  } catch (error) {
    throw driverError(error, true)
  }
}

const interrupted = 1317
const noSuchSavepoint = 1305

/**
 * @throws {GatewayError} 40001 when the server itself has rolled back the whole transaction, as it does with one side of a
 *   deadlock.
 */
async function rollBackTo(session: MysqlSession, name: string): Promise<void> {
  const text = `rollback to savepoint ${name}`
  try {
    await session.command(text).catch(async (error: unknown) => {
      // The stop of the previous statement arrived late.
      if (!isServerError(error) || error.errno !== interrupted) throw error
      await session.command(text)
    })
  } catch (error) {
    throw isServerError(error) && error.errno === noSuchSavepoint
      ? rolledBackAlready(error)
      : driverError(error, true)
  }
}

function rolledBackAlready(cause: unknown): GatewayError {
  const message = 'The database has rolled back the whole transaction: try it again.'
  return new GatewayError('conflict', message, { cause, sqlState: '40001' })
}

async function commit(session: MysqlSession): Promise<void> {
  try {
    await session.command('commit')
  } catch (error) {
    // The connection broke, for example: then it is unknown whether the transaction was committed.
    session.condemn()
    throw driverError(error, true)
  }
  session.setInTransaction(false)
}

async function rollBack(session: MysqlSession): Promise<void> {
  // A connection that is closed instead of released rolls back as well.
  if (!session.isAlive() || session.isIdle()) return
  try {
    await session.command('rollback')
    session.setInTransaction(false)
  } catch {
    session.condemn()
  }
}
