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
  runTransaction,
  type TransactionCommands,
} from '@engine/core/driver'
import { driverError } from '../errors/driver-error.ts'
import type { CancelBackend } from './cancel.ts'
import { openCursor } from './cursor.ts'
import { hintsOf } from './native-statement.ts'
import { runStatement } from './run-statement.ts'
import type { ServerSession } from './session.ts'
import type { BeginCommand } from './session-query.ts'

/**
 * Runs `body` between BEGIN and COMMIT. BEGIN is sent with the first statement.
 *
 * @throws {GatewayError} errors of `body`; the error of COMMIT.
 */
export function inTransaction<T>(
  session: ServerSession,
  options: Partial<TransactionOptions>,
  cancel: CancelBackend,
  body: (transaction: Session) => Promise<T>,
): Promise<T> {
  return runTransaction(
    commandsOn(() => session, beginCommand(options), cancel, options),
    body,
    options.signal,
  )
}

/** For a transaction whose connection is taken when it is needed. */
export interface LateTools {
  acquire(signal: AbortSignal | undefined): Promise<ServerSession>
  release(session: ServerSession): void
  readonly cancel: CancelBackend
  /** Runs a read outside of any transaction. */
  readonly alone: (execution: Execution) => Promise<ResultSet>
}

/**
 * Runs `body` in a transaction of level `read committed`, which takes a connection at its first write: its client may
 * wait for a long time before.
 *
 * @throws {GatewayError} errors of `body`; the error of COMMIT.
 */
export async function inLateTransaction<T>(
  options: TransactionOptions,
  { acquire, release, cancel, alone }: LateTools,
  body: (transaction: Session) => Promise<T>,
): Promise<T> {
  const begin = beginCommand(options)
  let held: ServerSession | undefined
  const session = (): ServerSession => {
    if (held === undefined) throw new GatewayError('internal', 'a transaction was never begun')
    return held
  }
  const letGo = () => {
    if (held !== undefined) release(held)
    held = undefined
  }
  const commands = commandsOn(session, begin, cancel, options)
  const late: DeferredCommands = {
    ...commands,
    begin: async (execution) => {
      held = await acquire(execution?.signal ?? options.signal)
      await commands.begin()
    },
    rollBack: async () => {
      if (held !== undefined) await rollBack(held)
      letGo()
    },
  }
  const belongs = ({ statement }: Execution) => hintsOf(statement).belongsToTransaction
  try {
    return await runTransaction(deferBegin(late, alone, belongs), body, options.signal)
  } finally {
    letGo()
  }
}

function commandsOn(
  session: () => ServerSession,
  begin: BeginCommand,
  cancel: CancelBackend,
  { ownNumbers = false }: Pick<TransactionOptions, 'ownNumbers'>,
): Required<TransactionCommands> {
  let cursors = 0
  const open = () => command(session(), ownNumbers ? `${begin}; ${forgetNumbers}` : begin)
  /** The command that opens the transaction together with its first statement. */
  const opening = async (execution: Execution, isFirst: boolean) => {
    if (!ownNumbers) requireNoNumbers(execution)
    if (!isFirst) return undefined
    if (!ownNumbers) return begin
    await open()
    return undefined
  }
  return {
    execute: async (execution, isFirst) =>
      runStatement(session(), execution, { begin: await opening(execution, isFirst), cancel }),
    open: async (execution, isFirst) => {
      cursors += 1
      const name = `engine_${cursors}`
      const options = { name, begin: await opening(execution, isFirst), cancel }
      return openCursor(session(), execution, options)
    },
    begin: open,
    savepoint: (name) => command(session(), `savepoint ${name}`),
    rollBackTo: (name) => command(session(), `rollback to savepoint ${name}`),
    releaseSavepoint: (name) => command(session(), `release savepoint ${name}`),
    commit: () => commit(session()),
    checkDeferred: () => command(session(), 'set constraints all immediate'),
    notify: (channel, payload) => notify(session(), channel, payload),
    rollBack: () => rollBack(session()),
  }
}

/** The numbers that were drawn on this connection before, by anyone. */
const forgetNumbers = 'discard sequences'

/** @throws {GatewayError} 55000 for a statement that reads numbers which a session has drawn */
function requireNoNumbers({ statement }: Execution): void {
  const { noNumbers } = hintsOf(statement)
  if (noNumbers !== undefined) throw noNumbers()
}

/** `begin isolation level repeatable read read only` */
function beginCommand({
  readOnly = false,
  isolation,
}: Partial<Pick<TransactionOptions, 'readOnly' | 'isolation'>>): BeginCommand {
  const level = isolation === undefined ? '' : (` isolation level ${isolation}` as const)
  return `begin${level}${readOnly ? ' read only' : ''}`
}

async function commit(session: ServerSession): Promise<void> {
  let tag: string
  try {
    tag = await session.command('commit')
  } catch (error) {
    // A deferred constraint failed, or the connection broke: then the outcome of the commit is unknown.
    throw driverError(error, true)
  }
  if (tag !== 'COMMIT') {
    throw new GatewayError('internal', 'the database rolled back a transaction at its end')
  }
}

async function command(session: ServerSession, text: string): Promise<void> {
  try {
    await session.command(text)
  } catch (error) {
    throw driverError(error, true)
  }
}

async function notify(session: ServerSession, channel: string, payload: string): Promise<number> {
  try {
    const [row] = await session.rows<{ readonly sender: number }>(
      'select pg_catalog.pg_backend_pid() as sender, pg_catalog.pg_notify($1, $2)',
      [channel, payload],
    )
    return Number(row?.sender ?? 0)
  } catch (error) {
    throw driverError(error, true)
  }
}

async function rollBack(session: ServerSession): Promise<void> {
  // Closing a connection instead of releasing it also rolls back.
  if (!session.isAlive() || session.isIdle()) return
  try {
    await session.command('rollback')
  } catch {
    session.condemn()
  }
}
