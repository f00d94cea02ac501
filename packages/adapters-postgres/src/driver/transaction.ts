import { type Execution, GatewayError, type ResultSet, type Session } from '@engine/core'
import { driverError } from '../driver-error.ts'
import type { CancelBackend } from './cancel.ts'
import { runStatement } from './run-statement.ts'
import type { BeginCommand, ServerSession } from './session.ts'

/**
 * Runs `body` between BEGIN and COMMIT. BEGIN travels with the first statement. After any failure the transaction can
 * only be rolled back, whatever `body` makes of it.
 *
 * @throws {GatewayError} what `body` throws; what COMMIT reports.
 */
export async function inTransaction<T>(
  session: ServerSession,
  begin: BeginCommand,
  cancel: CancelBackend,
  body: (transaction: Session) => Promise<T>,
): Promise<T> {
  let isOpen = false
  let failure: unknown
  const execute = async (execution: Execution): Promise<ResultSet> => {
    if (failure !== undefined) throw failure
    const options = { begin: isOpen ? undefined : begin, cancel }
    isOpen = true
    try {
      return await runStatement(session, execution, options)
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  let result: T
  try {
    result = await body({ execute })
    if (failure !== undefined) throw failure
  } catch (error) {
    await rollBack(session)
    throw error
  }
  if (isOpen) await commit(session)
  return result
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

async function rollBack(session: ServerSession): Promise<void> {
  // A connection that is closed instead of released rolls back as well.
  if (!session.isAlive() || session.isIdle()) return
  try {
    await session.command('rollback')
  } catch {
    session.condemn()
  }
}
