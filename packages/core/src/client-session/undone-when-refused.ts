import type { Session } from '../adapter.ts'

/** Those of clients count from 1. */
const guardName = 'engine_0'

/**
 * Runs a write of a transaction that goes on. One that was refused is undone before it is judged: its database takes no
 * question before that, and what was written before it counts.
 *
 * @param isGuarded false: nothing will be asked about a refusal.
 * @param judge asks the database what to answer with.
 */
export async function undoneWhenRefused<T>(
  session: Session,
  isGuarded: boolean,
  work: () => Promise<T>,
  judge: (error: unknown) => Promise<unknown>,
): Promise<T> {
  const { savepoint, rollBackTo, releaseSavepoint } = session
  const hasSavepoints = savepoint !== undefined && rollBackTo !== undefined
  if (!isGuarded || !hasSavepoints) {
    try {
      return await work()
    } catch (error) {
      throw await judge(error)
    }
  }
  await savepoint(guardName)
  let result: T
  try {
    result = await work()
  } catch (error) {
    await rollBackTo(guardName)
    throw await judge(error)
  }
  await releaseSavepoint?.(guardName)
  return result
}
