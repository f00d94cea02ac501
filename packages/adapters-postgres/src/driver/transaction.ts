import { GatewayError, runTransaction, type Session } from '@engine/core'
import { driverError } from '../driver-error.ts'
import type { CancelBackend } from './cancel.ts'
import { runStatement } from './run-statement.ts'
import type { BeginCommand, ServerSession } from './session.ts'

/**
 * Runs `body` between BEGIN and COMMIT. BEGIN travels with the first statement.
 *
 * @throws {GatewayError} what `body` throws; what COMMIT reports.
 */
export function inTransaction<T>(
  session: ServerSession,
  begin: BeginCommand,
  cancel: CancelBackend,
  body: (transaction: Session) => Promise<T>,
): Promise<T> {
  return runTransaction(
    {
      execute: (execution, isFirst) =>
        runStatement(session, execution, { begin: isFirst ? begin : undefined, cancel }),
      commit: () => commit(session),
      checkDeferred: () => checkDeferred(session),
      rollBack: () => rollBack(session),
    },
    body,
  )
}

async function commit(session: ServerSession): Promise<void> {
  let tag: string
  try {
    tag = await session.command('commit')
  } catch (error) {
    // A deferred constraint, or the connection broke: nobody knows then whether it was committed.
    throw driverError(error, true)
  }
  if (tag !== 'COMMIT') {
    throw new GatewayError('internal', 'the database rolled back a transaction at its end')
  }
}

async function checkDeferred(session: ServerSession): Promise<void> {
  try {
    await session.command('set constraints all immediate')
  } catch (error) {
    throw driverError(error, true)
  }
}

async function rollBack(session: ServerSession): Promise<void> {
  // A connection that is closed instead of released rolls back as well.
  if (!session.isAlive() || session.isIdle()) return
  try {
    await session.command('rollback')
  } catch {
    session.condemn()
  }
}
