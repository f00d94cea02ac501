import {
  type Adapter,
  type AdapterFactory,
  compileOf,
  type Execution,
  GatewayError,
  isConnectionLost,
  type ResultSet,
  type RowReceiver,
  silentLog,
} from '@engine/core/adapter'
import { abortable, createPipelines, isReadCommitted, retryReads } from '@engine/core/driver'
import { compileInSteps } from './compile.ts'
import { createCancel } from './driver/cancel.ts'
import { createConnectionPool } from './driver/connection-pool.ts'
import { createListener } from './driver/listener.ts'
import { hintsOf } from './driver/native-statement.ts'
import { type PipedSession, pipedSession } from './driver/piped-session.ts'
import { analyzedStatement, planLines } from './driver/plan-lines.ts'
import { runStatement } from './driver/run-statement.ts'
import type { ServerSession } from './driver/session.ts'
import { inLateTransaction, inTransaction } from './driver/transaction.ts'
import { createWriteGroups } from './driver/write-groups.ts'
import { driverError, isStalePlan } from './errors/driver-error.ts'
import { introspect } from './introspection/introspect.ts'
import {
  readSchemaVersion,
  type SchemaVersion,
  versionText,
} from './introspection/schema-version.ts'
import { readZoneRules } from './introspection/zone-rules.ts'
import type { PostgresOptions } from './options.ts'
import { postgresTraits } from './traits.ts'

/** Default maximum of connections. */
const usualPool = 16

/** Time limit of introspection and pings, in milliseconds. */
const housekeepingMs = 30_000

/**
 * A PostgreSQL database, 13 or later. Connects when it is first used.
 *
 * @example
 * const adapter = postgresAdapter({ url: 'postgres://app:secret@localhost:5432/shop' })
 * const { tables } = await adapter.introspect(AbortSignal.timeout(10_000))
 * await adapter.close()
 */
export function postgresAdapter(options: PostgresOptions): Adapter {
  const log = options.log ?? silentLog
  const cancel = createCancel(options.url, log)
  const pool = createConnectionPool({
    url: options.url,
    max: options.pool?.max ?? usualPool,
    readOnly: options.readOnly ?? false,
    acquireTimeoutMs: options.acquireTimeoutMs ?? 10_000,
    log,
  })

  const listener = createListener(options.url, log)

  /** Maximum shared connections of a kind: most stay free for statements that need their own. */
  const mostShared = Math.min(4, Math.floor((options.pool?.max ?? usualPool) / 4))
  const pipelines = createPipelines<string, PipedSession>({
    most: mostShared,
    acquire: async (timeoutMs) => pipedSession(await acquire(timeoutMs, undefined), cancel),
    release: ({ session }) => pool.release(session),
    toError: (error) => driverError(error, false),
    busy: () => pool.state().busy,
  })

  const groups = createWriteGroups({
    most: Math.min(2, mostShared),
    acquire: (timeoutMs) => acquire(timeoutMs, undefined),
    release: pool.release,
    toError: (error) => driverError(error, true),
    busy: () => pool.state().busy,
  })

  const { schema = 'public', schemas = [schema] } = options
  let serverVersion: number | undefined
  let known: SchemaVersion | undefined

  /** A session that is free and has this limit already. */
  const takeNow = (
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): ServerSession | undefined => {
    const session = pool.take(signal)
    if (session === undefined || session.limit() === timeoutMs) return session
    pool.release(session)
    return undefined
  }

  const acquire = async (
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ServerSession> => {
    const session = await pool.acquire(signal)
    try {
      const limited = session.limitTime(timeoutMs)
      if (limited !== undefined) await reportErrors(limited)
      return session
    } catch (error) {
      pool.release(session)
      throw error
    }
  }

  const renewStatements = () => {
    pool.renewStatements()
    pipelines.renew()
    groups.renew()
  }

  const renewConnections = () => {
    pool.renewConnections()
    pipelines.renew()
    groups.renew()
  }

  /** Statements that were prepared for another schema, and connections with other settings, are not used again. */
  const noteVersion = (version: SchemaVersion) => {
    if (known !== undefined && version.schema !== known.schema) renewStatements()
    if (known !== undefined && version.settings !== known.settings) renewConnections()
    known = version
  }

  /** Renews statements or connections of all sessions after an error that affects them all. */
  const note = (error: unknown) => {
    if (isStalePlanError(error)) renewStatements()
    if (isConnectionLost(error)) renewConnections()
  }

  const withSession = async <T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (session: ServerSession) => Promise<T>,
  ): Promise<T> => {
    try {
      const session = takeNow(timeoutMs, signal) ?? (await acquire(timeoutMs, signal))
      try {
        return await work(session)
      } finally {
        pool.release(session)
      }
    } catch (error) {
      note(error)
      throw error
    }
  }

  const runOnce = (session: ServerSession, execution: Execution): Promise<ResultSet> =>
    execution.statement.needsTransaction
      ? inTransaction(session, {}, cancel, (transaction) => transaction.execute(execution))
      : runStatement(session, execution, { cancel })

  /** Prepares a statement again that was planned before a table changed. */
  const run = (session: ServerSession, execution: Execution): Promise<ResultSet> =>
    runOnce(session, execution).catch((error: unknown) => {
      if (!isStalePlanError(error)) throw error
      renewStatements()
      return runOnce(session, execution)
    })

  const runAlone = (execution: Execution): Promise<ResultSet> =>
    withSession(execution.timeoutMs, execution.signal, (session) => run(session, execution))

  /** Runs a statement by itself where it did not run on a shared connection, or in a shared transaction. */
  const runShared = (
    execution: Execution,
    shared: Promise<ResultSet | undefined>,
  ): Promise<ResultSet> =>
    shared.then(
      (result) => result ?? runAlone(execution),
      (error: unknown) => {
        note(error)
        if (isStalePlanError(error)) return runAlone(execution)
        throw error
      },
    )

  const execute = (execution: Execution): Promise<ResultSet> => {
    const { noNumbers, shares, latency } = hintsOf(execution.statement)
    if (noNumbers !== undefined) return Promise.reject(noNumbers())
    const { signal, statement } = execution
    const noted = notingRows(execution)
    return retryReads({ isWrite: statement.isWrite, signal, isPastReturn: noted.hasRows }, () => {
      const shared =
        shares === 'transaction'
          ? groups.run(noted.execution)
          : pipelines.run(noted.execution, latency)
      return shared === undefined ? runAlone(noted.execution) : runShared(noted.execution, shared)
    })
  }

  return {
    kind: 'postgres',
    traits: postgresTraits,
    introspect: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, async (session) => {
          const found = await reportErrors(
            introspect(session, { schemas, tables: options.tables ?? {} }),
          )
          serverVersion = found.serverVersion
          noteVersion(found.version)
          return found.introspection
        }),
      ),
    schemaVersion: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, (session) =>
          reportErrors(readSchemaVersion(session, schemas).then(versionText)),
        ),
      ),
    compile: compileOf((statement) => compileInSteps(statement, serverVersion)),
    execute,
    planLines: (execution, form, run = execute) => planLines(execution, run, form),
    analyze: analyzedStatement,
    transaction: (transaction, body) => {
      const { timeoutMs, signal } = transaction
      return isReadCommitted(transaction)
        ? inLateTransaction(
            transaction,
            {
              acquire: (waiting) => acquire(timeoutMs, waiting),
              release: pool.release,
              cancel,
              alone: execute,
            },
            body,
          ).catch((error: unknown) => {
            note(error)
            throw error
          })
        : withSession(timeoutMs, signal, (session) =>
            inTransaction(session, transaction, cancel, body),
          )
    },
    ping: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, async (session) => {
          await reportErrors(session.command('select'))
        }),
      ),
    zoneRules: (zone, signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, (session) =>
          reportErrors(readZoneRules(session, zone)),
        ),
      ),
    poolState: () => pool.state(),
    hasRoom: pool.hasRoom,
    channels: { listen: (channel, receive) => listener.listen(channel, receive) },
    close: async () => {
      pipelines.close()
      groups.close()
      await Promise.all([listener.close(), pool.close()])
    },
  }
}

/**
 * Opens a connection of the engine's configuration, from its entry in `connections`.
 *
 * @example
 * const engine = await createEngine(config, { adapters: { '@engine/adapters-postgres': connect } })
 */
export const connect: AdapterFactory = (options) => postgresAdapter(options)

/** A statement whose rows were already delivered cannot be repeated. */
function notingRows(execution: Execution): {
  readonly execution: Execution
  readonly hasRows: () => boolean
} {
  const { receiver } = execution
  if (receiver === undefined) return { execution, hasRows: () => false }
  let hasRows = false
  const noting: RowReceiver = {
    row: (cells) => {
      hasRows = true
      receiver.row(cells)
    },
    hold: () => receiver.hold(),
  }
  return { execution: { ...execution, receiver: noting }, hasRows: () => hasRows }
}

/** Maps errors of our own commands to problems. */
async function reportErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw driverError(error, false)
  }
}

function isStalePlanError(error: unknown): boolean {
  return error instanceof GatewayError && isStalePlan(error.cause)
}
