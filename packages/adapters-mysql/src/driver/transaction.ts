import { runTransaction, type Session } from '@engine/core'
import { driverError } from '../driver-error.ts'
import type { CancelStatement } from './cancel.ts'
import { retryInTransaction } from './retry-conflicts.ts'
import { runStatement } from './run-statement.ts'
import type { MysqlSession } from './session.ts'

/**
 * Runs `body` in one transaction.
 *
 * @throws {GatewayError} what `body` throws; what COMMIT reports.
 */
export function inTransaction<T>(
  session: MysqlSession,
  isReadOnly: boolean,
  cancel: CancelStatement,
  body: (transaction: Session) => Promise<T>,
): Promise<T> {
  return runTransaction(
    {
      execute: async (execution, isFirst) => {
        if (isFirst) await begin(session, isReadOnly)
        return retryInTransaction(session, execution, () =>
          runStatement(session, execution, cancel),
        )
      },
      commit: () => commit(session),
      rollBack: () => rollBack(session),
    },
    body,
  )
}

async function begin(session: MysqlSession, isReadOnly: boolean): Promise<void> {
  session.setInTransaction(true)
  try {
    await session.command(isReadOnly ? 'start transaction read only' : 'start transaction')
  } catch (error) {
    session.condemn()
    throw driverError(error, false)
  }
}

async function commit(session: MysqlSession): Promise<void> {
  try {
    await session.command('commit')
  } catch (error) {
    // The connection broke, say: nobody knows then whether it was committed.
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
