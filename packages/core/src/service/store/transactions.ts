/** @module Transactions of the service database: their scope, and attempts after the database has aborted one. */
import type { AsyncLocalStorage } from 'node:async_hooks'
import type { TransactionScope } from './store-dialect.ts'
import { isPassing, storeError } from './store-error.ts'

/** How often a transaction runs that the database aborts. */
const mostAttempts = 5

/** Pause before the next attempt, in milliseconds: doubled each time, of random length. */
const firstPauseMs = 10

/** Marks everything that `work` does, while it runs, as inside of a transaction. */
export async function inScope<T>(
  scope: AsyncLocalStorage<TransactionScope>,
  work: () => Promise<T>,
): Promise<T> {
  const mark: TransactionScope = { isOpen: true }
  try {
    return await scope.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}

/** Runs work, again where the database aborts it. @throws the error of the last attempt; `unavailable` when the database aborted every attempt. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error)) throw error
      if (attempt > mostAttempts) throw storeError(error)
    }
    const pauseMs = firstPauseMs * 2 ** attempt * (0.5 + Math.random())
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
