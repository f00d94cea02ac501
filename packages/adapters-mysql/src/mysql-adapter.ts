import {
  type Adapter,
  type AdapterFactory,
  abortable,
  type ConfiguredTypes,
  type Execution,
  GatewayError,
  type Log,
  type ResultSet,
  retryReads,
  silentLog,
  type TableSelection,
} from '@engine/core/adapter'
import { compile } from './compile.ts'
import { createCancel } from './driver/cancel.ts'
import { connectionOptions, databaseOf } from './driver/connection-options.ts'
import { openSession } from './driver/open-session.ts'
import { retryAlone } from './driver/retry-conflicts.ts'
import { runStatement } from './driver/run-statement.ts'
import type { MysqlSession } from './driver/session.ts'
import { createSessionPool } from './driver/session-pool.ts'
import { inTransaction, type TransactionModes } from './driver/transaction.ts'
import { driverError } from './driver-error.ts'
import type { Flavor } from './flavor.ts'
import { introspect } from './introspect/introspect.ts'
import { readSchemaVersion } from './introspect/schema-version.ts'
import { programOf } from './program.ts'

/** Options of `mysqlAdapter`. */
export interface MysqlOptions {
  /** `mysql://user:password@host:3306/database?ssl-mode=verify_identity` */
  readonly url: string
  /** The most connections; 16 by default. */
  readonly pool?: { readonly max?: number | undefined } | undefined
  /** The database whose tables are shown; that of the URL by default. */
  readonly schema?: string | undefined
  readonly tables?: TableSelection | undefined
  /** `declared`: a CHAR(36) is a text. Default: it is a `uuid` if only UUIDs are stored in it. */
  readonly types?: 'declared' | 'inferred' | undefined
  /** `uuid` or `char(36)` for single columns of type CHAR(36), by table and column. */
  readonly columnTypes?: ConfiguredTypes | undefined
  /** Refuses every write, also on the server. */
  readonly readOnly?: boolean | undefined
  /** How long a request waits for a connection, in milliseconds; 10 000 by default. */
  readonly acquireTimeoutMs?: number | undefined
  readonly log?: Log | undefined
}

/** The transaction of a statement that needs one. */
const ofItsOwn: TransactionModes = { readOnly: false, isolation: undefined, signal: undefined }

/** Timeout of introspection and pings, in milliseconds. */
const housekeepingMs = 30_000

/**
 * A MariaDB (10.6 or later) or MySQL (8.0.31 or later) database. Connects when it is first used.
 *
 * @example
 * const adapter = mysqlAdapter({ url: 'mysql://app:secret@localhost:3306/shop' })
 * const { tables } = await adapter.introspect(AbortSignal.timeout(10_000))
 * await adapter.close()
 */
export function mysqlAdapter(options: MysqlOptions): Adapter {
  const log = options.log ?? silentLog
  const connection = connectionOptions(options.url)
  const schema = options.schema ?? databaseOf(options.url)
  const cancel = createCancel(connection, log)
  const mostSessions = options.pool?.max ?? 16
  const pool = createSessionPool<MysqlSession>({
    max: mostSessions,
    acquireTimeoutMs: options.acquireTimeoutMs ?? 10_000,
    open: () => openSession(connection, { isReadOnly: options.readOnly ?? false, mostSessions }),
    log,
  })

  let flavor: Flavor | undefined

  const acquire = async (
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<MysqlSession> => {
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

  const withSession = async <T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (session: MysqlSession) => Promise<T>,
  ): Promise<T> => {
    const session = await acquire(timeoutMs, signal)
    try {
      return await work(session)
    } finally {
      pool.release(session)
    }
  }

  const run = (session: MysqlSession, execution: Execution): Promise<ResultSet> => {
    if (!programOf(execution.statement).needsTransaction) {
      return runStatement(session, execution, cancel)
    }
    const own = { acquire: async () => session, release: () => undefined, cancel, alone: undefined }
    return inTransaction(ofItsOwn, own, (transaction) => transaction.execute(execution))
  }

  const execute = (execution: Execution): Promise<ResultSet> => {
    const { timeoutMs, signal, statement } = execution
    return retryReads({ isWrite: statement.isWrite, signal }, () =>
      withSession(timeoutMs, signal, (session) =>
        retryAlone(execution, () => run(session, execution)),
      ),
    )
  }

  return {
    kind: 'mysql',
    traits: { oneStateIsolation: 'serializable' },
    introspect: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, async (session) => {
          flavor = session.flavor
          const { tables = {}, types = 'inferred', columnTypes = {} } = options
          return reportErrors(introspect(session, { schema, tables, types, columnTypes }))
        }),
      ),
    schemaVersion: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, (session) =>
          reportErrors(readSchemaVersion(session, schema)),
        ),
      ),
    compile: (statement) => {
      if (flavor === undefined) {
        throw new GatewayError('internal', 'a statement is compiled before introspection')
      }
      return compile(statement, flavor)
    },
    execute,
    transaction: ({ timeoutMs, ...modes }, body) =>
      inTransaction(
        modes,
        {
          acquire: (signal) => acquire(timeoutMs, signal),
          release: pool.release,
          cancel,
          alone: execute,
        },
        body,
      ),
    ping: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, (session) => reportErrors(session.command('do 1'))),
      ),
    poolState: () => pool.state(),
    close: () => pool.close(),
  }
}

/**
 * Opens a connection from the engine's configuration.
 *
 * @example
 * const engine = await createEngine(config, { adapters: { '@engine/adapters-mysql': connect } })
 */
export const connect: AdapterFactory = (options) => mysqlAdapter(options)

/** Converts errors of the adapter's own commands to problems. */
async function reportErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw driverError(error, false)
  }
}
