/** @module An adapter's transaction lasts as long as a function; this one stays open until its holder ends it. */
import type { TransactionOptions } from '../adapter/adapter.ts'
import type { GuardedAdapter, GuardedSession } from '../guard/guarded-adapter.ts'

export interface PinnedTransaction {
  readonly connection: string
  readonly session: GuardedSession
  /** Fires when another part of the engine rolls it back. */
  readonly signal: AbortSignal
  /** After the end the pool gives the session to another request. */
  readonly isEnding: () => boolean
  /** Undefined commits, an error rolls back. */
  end(error: Error | undefined): void
  /** Settles when the database has committed, or rolled back. */
  readonly done: Promise<void>
}

export interface PinOptions {
  readonly adapter: Pick<GuardedAdapter, 'transaction'>
  readonly connection: string
  readonly options: TransactionOptions & { readonly signal: AbortSignal }
  /** The error to roll back with when the signal fires. */
  readonly whyAborted: () => Error
  /** Resolves when no statement runs in it: only then can its connection roll back. */
  readonly whenIdle: () => Promise<unknown>
}

/** @throws the error that keeps the transaction from opening. */
export async function pinTransaction(pin: PinOptions): Promise<PinnedTransaction> {
  const { adapter, connection, options, whyAborted, whenIdle } = pin
  const { signal } = options
  const ended = Promise.withResolvers<Error | undefined>()
  const started = Promise.withResolvers<GuardedSession>()
  let isEnding = false
  const end = (error: Error | undefined) => {
    isEnding = true
    ended.resolve(error)
  }
  const onAbort = () => end(whyAborted())
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const done = adapter
    .transaction(options, async (session) => {
      started.resolve(session)
      const error = await ended.promise
      await whenIdle()
      if (error !== undefined) throw error
    })
    .finally(() => signal.removeEventListener('abort', onAbort))
  done.catch((error: unknown) => started.reject(error))
  const session = await started.promise
  return { connection, session, signal, isEnding: () => isEnding, end, done }
}
