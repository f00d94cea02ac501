import type { Session } from '../adapter/adapter.ts'

/** Savepoints of clients count from 1. */
const guardName = 'engine_0'

/**
 * Runs a statement of a transaction that continues. A checked write that failed is rolled back to a savepoint before its error is
 * examined: the database accepts no query before that, and earlier writes of the transaction must be visible to the check.
 *
 * @param isChecked false: examining the error needs no query.
 * @param judge decides which error to throw.
 */
export async function withSavepoint<T>(
  session: Session,
  isChecked: boolean,
  work: () => Promise<T>,
  judge: (error: unknown) => Promise<unknown>,
): Promise<T> {
  const { savepoint, rollBackTo, releaseSavepoint } = session
  const hasSavepoints = isChecked && savepoint !== undefined && rollBackTo !== undefined
  if (hasSavepoints) await savepoint(guardName)
  let result: T
  try {
    result = await work()
  } catch (error) {
    if (hasSavepoints) await rollBackTo(guardName)
    throw await judge(error)
  }
  if (hasSavepoints) await releaseSavepoint?.(guardName)
  return result
}
