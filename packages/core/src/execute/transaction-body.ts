import type { Execution, ResultSet, Session } from '../adapter.ts'

/** What a transaction does with its connection. */
export interface TransactionCommands {
  /** @param isFirst nothing was executed before: the transaction has still to be opened. */
  execute(execution: Execution, isFirst: boolean): Promise<ResultSet>
  commit(): Promise<void>
  /** See `Session`; only called when something was executed. */
  checkDeferred?(): Promise<void>
  /** Leaves a connection without a transaction, or one that is never used again. */
  rollBack(): Promise<void>
}

/**
 * Runs `body` and commits what it executed. After any failure the transaction can only be rolled back, whatever `body`
 * makes of it.
 *
 * @throws what `body` throws; what the commit reports.
 */
export async function runTransaction<T>(
  commands: TransactionCommands,
  body: (transaction: Session) => Promise<T>,
): Promise<T> {
  let isOpen = false
  let failure: unknown
  const attempt = async <R>(work: () => Promise<R>): Promise<R> => {
    if (failure !== undefined) throw failure
    try {
      return await work()
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  const execute = (execution: Execution): Promise<ResultSet> =>
    attempt(() => {
      const isFirst = !isOpen
      isOpen = true
      return commands.execute(execution, isFirst)
    })
  const checkDeferred = (): Promise<void> =>
    attempt(async () => {
      if (isOpen) await commands.checkDeferred?.()
    })
  let result: T
  try {
    result = await body({ execute, checkDeferred })
    if (failure !== undefined) throw failure
  } catch (error) {
    await commands.rollBack()
    throw error
  }
  if (isOpen) await commands.commit()
  return result
}
