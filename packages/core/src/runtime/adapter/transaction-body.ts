import { setImmediate } from 'node:timers/promises'
import { cancelled } from '../../foundation/adapter-errors.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Cursor, Execution, ResultSet, Session } from './adapter.ts'

/** The commands of a transaction on its connection. Called one after the other. */
export interface TransactionCommands {
  /** @param isFirst nothing was executed before: the transaction is not open yet. */
  execute(execution: Execution, isFirst: boolean): Promise<ResultSet>
  /** See `Session`. */
  open?(execution: Execution, isFirst: boolean): Promise<Cursor>
  /** Opens the transaction, if a savepoint is the first command. */
  begin?(): Promise<void>
  /** See `Session`; only called in an open transaction. All three exist, or none. */
  savepoint?(name: string): Promise<void>
  /** Fails when the database itself has rolled back more than that. */
  rollBackTo?(name: string): Promise<void>
  releaseSavepoint?(name: string): Promise<void>
  commit(): Promise<void>
  /** See `Session`; only called when something was executed. */
  checkDeferred?(): Promise<void>
  /** See `Session`. */
  notify?(channel: string, payload: string): Promise<number>
  /** Leaves a connection without a transaction, or one that is never used again. */
  rollBack(): Promise<void>
}

/**
 * Runs `body` and commits what it executed. After any failure the transaction can only be rolled back, as a whole or to a
 * savepoint, even if `body` ignores the failure. Statements that `body` does not await run in turn, and before the commit.
 *
 * @param signal ends the transaction, even while `body` does nothing
 * @throws the error of `body`, or that of the commit.
 */
export async function runTransaction<T>(
  commands: TransactionCommands,
  body: (transaction: Session) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const statements = createStatements(signal)
  const ending = endOf(signal, statements.idle)
  let result: T
  try {
    result = await Promise.race([body(sessionOf(commands, statements)), ending.ended])
    await statements.finish()
  } catch (error) {
    statements.close()
    await statements.idle()
    await commands.rollBack()
    throw error
  } finally {
    statements.close()
    ending.stop()
  }
  if (statements.isOpen()) await commands.commit()
  return result
}

interface Statements {
  /** Runs a command in its turn; after a failure, and after the end, nothing runs. */
  attempt<R>(work: () => Promise<R>): Promise<R>
  /** The same, and opens the transaction if it is not open. */
  attemptOpen<R>(work: (isFirst: boolean) => Promise<R>): Promise<R>
  /** Runs a command that is not needed after a failure, or after the end. */
  tidy(work: () => Promise<void>): Promise<void>
  /** Runs a command that undoes a failure. */
  recover(work: () => Promise<void>): Promise<void>
  /** The execution, also stopped by the transaction's signal. */
  stoppable(execution: Execution): Execution
  readonly isOpen: () => boolean
  /** Resolves when no command runs any more. */
  idle(): Promise<void>
  /** Waits for running commands. Throws the error of a failed statement. */
  finish(): Promise<void>
  close(): void
}

function createStatements(signal: AbortSignal | undefined): Statements {
  let tail: Promise<unknown> = Promise.resolve()
  let failure: { readonly error: unknown } | undefined
  let isOpen = false
  let isOver = false

  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const run = async (): Promise<R> => {
      try {
        return await work()
      } catch (error) {
        failure ??= { error }
        throw error
      }
    }
    const result = tail.then(run)
    tail = result.catch(() => undefined)
    return result
  }

  const attempt = <R>(work: () => Promise<R>): Promise<R> =>
    inTurn(() => {
      if (isOver) throw transactionOver()
      if (failure !== undefined) throw transactionFailed(failure.error)
      return work()
    })

  return {
    attempt,
    attemptOpen: (work) =>
      attempt(() => {
        const isFirst = !isOpen
        isOpen = true
        return work(isFirst)
      }),
    tidy: (work) =>
      inTurn(async () => {
        if (!isOver && failure === undefined) await work()
      }),
    recover: (work) =>
      inTurn(async () => {
        if (isOver) throw transactionOver()
        if (isOpen) await work()
        failure = undefined
      }),
    stoppable: (execution) => ({ ...execution, signal: eitherSignal(signal, execution.signal) }),
    isOpen: () => isOpen,
    idle: async () => {
      await tail
    },
    finish: async () => {
      await tail
      if (failure !== undefined) throw failure.error
    },
    close: () => {
      isOver = true
    },
  }
}

function sessionOf(commands: TransactionCommands, statements: Statements): Session {
  const { attempt, attemptOpen, stoppable, isOpen } = statements
  return {
    execute: (execution) =>
      attemptOpen((isFirst) => commands.execute(stoppable(execution), isFirst)),
    checkDeferred: () =>
      attempt(async () => {
        if (isOpen()) await commands.checkDeferred?.()
      }),
    ...openOf(commands, statements),
    ...notifyOf(commands, statements),
    ...savepointsOf(commands, statements),
  }
}

function openOf({ open }: TransactionCommands, statements: Statements): Pick<Session, 'open'> {
  if (open === undefined) return {}
  const { attempt, attemptOpen, tidy, stoppable } = statements
  return {
    open: async (execution) => {
      const cursor = await attemptOpen((isFirst) => open(stoppable(execution), isFirst))
      return {
        fetch: (count) => attempt(() => cursor.fetch(count)),
        close: () => tidy(() => cursor.close()),
      }
    },
  }
}

function notifyOf(
  { begin, notify }: TransactionCommands,
  { attemptOpen }: Statements,
): Pick<Session, 'notify'> {
  if (notify === undefined) return {}
  return {
    notify: (channel, payload) =>
      attemptOpen(async (isFirst) => {
        if (isFirst) await begin?.()
        return await notify(channel, payload)
      }),
  }
}

function savepointsOf(
  { begin, savepoint, rollBackTo, releaseSavepoint }: TransactionCommands,
  { attempt, attemptOpen, recover }: Statements,
): Pick<Session, 'savepoint' | 'rollBackTo' | 'releaseSavepoint'> {
  if (savepoint === undefined || rollBackTo === undefined || releaseSavepoint === undefined) {
    return {}
  }
  return {
    savepoint: (name) =>
      attemptOpen(async (isFirst) => {
        if (isFirst) await begin?.()
        await savepoint(checkedName(name))
      }),
    rollBackTo: (name) => recover(() => rollBackTo(checkedName(name))),
    releaseSavepoint: (name) => attempt(() => releaseSavepoint(checkedName(name))),
  }
}

/** Checked because it becomes part of SQL. */
function checkedName(name: string): string {
  if (/^engine_\d+$/.test(name)) return name
  throw new GatewayError('internal', 'a savepoint has a name that the engine has not made')
}

interface Ending {
  /** Rejects some time after the signal has fired, when nothing runs and `body` has not ended by itself. */
  readonly ended: Promise<never>
  stop(): void
}

function endOf(signal: AbortSignal | undefined, idle: () => Promise<void>): Ending {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // There may be no listener when the signal fires.
  ended.catch(() => undefined)
  const onAbort = () => {
    // The error of a body that reacts to the signal is better.
    void idle()
      .then(() => setImmediate())
      .then(() => reject(cancelled()))
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  return { ended, stop: () => signal?.removeEventListener('abort', onAbort) }
}

function eitherSignal(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  if (first === undefined || first === second) return second
  return second === undefined ? first : AbortSignal.any([first, second])
}

function transactionFailed(cause: unknown): GatewayError {
  const message = 'The transaction has failed: it can only be rolled back.'
  return new GatewayError('badRequest', message, { sqlState: '25P02', cause })
}

function transactionOver(): GatewayError {
  return new GatewayError('badRequest', 'The transaction is over.', { sqlState: '25P01' })
}
