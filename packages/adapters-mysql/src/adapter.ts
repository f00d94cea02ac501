import {
  type Adapter,
  type AdapterFactory,
  compileOf,
  type Execution,
  GatewayError,
  isConnectionLost,
  type ResultSet,
  silentLog,
} from '@engine/core/adapter'
import { abortable, createPipelines, finishing, retryReads, started } from '@engine/core/driver'
import { compileInSteps } from './compile.ts'
import { createCancel } from './driver/cancel.ts'
import { connectionOptions, databaseOf } from './driver/connection-options.ts'
import type { Outcome } from './driver/exchange.ts'
import { openSession } from './driver/open-session.ts'
import { type PipedSession, pipedSession } from './driver/piped-session.ts'
import { programOf } from './driver/program.ts'
import { proveQueueing } from './driver/prove-queueing.ts'
import { retryAlone } from './driver/retry-conflicts.ts'
import { runStatement } from './driver/run-statement.ts'
import type { MysqlSession } from './driver/session.ts'
import { createSessionPool } from './driver/session-pool.ts'
import { inTransaction, type TransactionModes } from './driver/transaction.ts'
import { driverError, isStaleStatement } from './errors/driver-error.ts'
import { introspect } from './introspection/introspect.ts'
import { readSchemaVersion } from './introspection/schema-version.ts'
import type { MysqlOptions } from './options.ts'
import type { Flavor } from './server/flavor.ts'
import { descriptionOf, descriptionQuery, untriedServer } from './server/untried-server.ts'
import { mysqlTraits } from './traits.ts'
import type { CatalogReading } from './values/column-guard.ts'

/** The transaction of a statement that needs one. */
const ofItsOwn: TransactionModes = { readOnly: false, isolation: undefined, signal: undefined }

/** How long the first statements that are sent together may take, in milliseconds. */
const proofMs = 2_000

/** A connection can break for other reasons, too. */
const mostProofs = 3

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

  /** Attempts that failed before one succeeded. */
  let failedProofs = 0
  let isProven = false
  const mayQueue = () => isProven || failedProofs < mostProofs
  /** @throws {Error} when statements must wait for the answers to those before them. */
  const requireQueueing = async (session: MysqlSession) => {
    if (isProven) return
    try {
      await proveQueueing(session, proofMs)
      isProven = true
    } catch (err) {
      failedProofs += 1
      if (!mayQueue()) {
        log.warn({ err }, 'the database server, or a proxy, answers only one statement at a time')
      }
      throw err
    }
  }

  /** Maximum shared connections: most connections stay free for statements that need their own. */
  const pipelines = createPipelines<Outcome, PipedSession>({
    most: Math.min(4, Math.floor(mostSessions / 4)),
    acquire: async (timeoutMs) => {
      const session = await acquire(timeoutMs, undefined)
      try {
        await requireQueueing(session)
        return pipedSession(session, cancel)
      } catch (error) {
        pool.release(session)
        throw error
      }
    },
    release: ({ session }) => pool.release(session),
    toError: (error) => driverError(error, false),
    busy: () => pool.state().busy,
  })

  let isDescribed = false
  /** Warns once about a server that was not tried. */
  const describeServer = async (session: MysqlSession): Promise<void> => {
    if (isDescribed) return
    const untried = untriedServer(descriptionOf(await session.rows(descriptionQuery)))
    isDescribed = true
    if (untried !== undefined) log.warn({}, untried)
  }

  let flavor: Flavor | undefined
  const knownFlavor = (): Flavor => {
    if (flavor !== undefined) return flavor
    throw new GatewayError('internal', 'a statement is compiled before introspection')
  }

  const reading: CatalogReading = { beganAt: 0 }
  let knownVersion: string | undefined

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

  /** The cause of a broken connection has probably broken the others, too. */
  const note = (error: unknown) => {
    if (!isConnectionLost(error)) return
    pool.renew()
    pipelines.renew()
  }

  /** A session that is free and has this limit already. */
  const takeNow = (
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): MysqlSession | undefined => {
    const session = pool.take(signal)
    if (session === undefined || session.limit() === timeoutMs) return session
    pool.release(session)
    return undefined
  }

  const withSession = <T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (session: MysqlSession) => Promise<T>,
  ): Promise<T> => {
    const use = (session: MysqlSession) =>
      finishing(
        () => work(session),
        () => pool.release(session),
      )
    return started(() => {
      const session = takeNow(timeoutMs, signal)
      return session === undefined ? acquire(timeoutMs, signal).then(use) : use(session)
    }).catch((error: unknown) => {
      note(error)
      throw error
    })
  }

  const run = (session: MysqlSession, execution: Execution): Promise<ResultSet> => {
    if (!needsTransaction(execution)) {
      return runStatement(session, execution, cancel, false)
    }
    const own = { acquire: async () => session, release: () => undefined, cancel, alone: undefined }
    return inTransaction(ofItsOwn, own, (transaction) => transaction.execute(execution))
  }

  const runAlone = (execution: Execution): Promise<ResultSet> =>
    withSession(execution.timeoutMs, execution.signal, (session) =>
      retryAlone(execution, () => run(session, execution)),
    )

  /** Runs a statement on its own connection where the pipeline did not run it. */
  const runPiped = (
    execution: Execution,
    piped: Promise<ResultSet | undefined>,
  ): Promise<ResultSet> =>
    piped.then(
      (result) => result ?? runAlone(execution),
      (error: unknown) => {
        note(error)
        if (isStaleStatementError(error)) return runAlone(execution)
        throw error
      },
    )

  const execute = (execution: Execution): Promise<ResultSet> => {
    const { signal, statement } = execution
    const { latency } = programOf(statement)
    return retryReads({ isWrite: statement.isWrite, signal }, () => {
      const piped = mayQueue() ? pipelines.run(execution, latency) : undefined
      return piped === undefined ? runAlone(execution) : runPiped(execution, piped)
    })
  }

  return {
    kind: 'mysql',
    traits: mysqlTraits,
    introspect: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, async (session) => {
          flavor = session.flavor
          await reportErrors(describeServer(session))
          const { tables = {}, types = 'inferred', columnTypes = {} } = options
          const beganAt = performance.now()
          const found = await reportErrors(
            introspect(session, { schema, tables, types, columnTypes }),
          )
          knownVersion = found.schemaVersion
          reading.beganAt = beganAt
          return found
        }),
      ),
    schemaVersion: (signal) =>
      abortable(signal, () =>
        withSession(housekeepingMs, signal, async (session) => {
          const beganAt = performance.now()
          const version = await reportErrors(readSchemaVersion(session, schema))
          if (version === knownVersion) reading.beganAt = beganAt
          return version
        }),
      ),
    compile: compileOf(function* (statement) {
      const compiled = yield* compileInSteps(statement, knownFlavor())
      return { ...compiled, hints: { ...compiled.hints, reading } }
    }),
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
    hasRoom: pool.hasRoom,
    close: () => {
      pipelines.close()
      return pool.close()
    },
  }
}

/**
 * Opens a connection from the engine's configuration.
 *
 * @example
 * const engine = await createEngine(config, { adapters: { '@engine/adapters-mysql': connect } })
 */
export const connect: AdapterFactory = (options) => mysqlAdapter(options)

/**
 * Rows for the wire protocol have the types that were described: a write that returns others is rolled back. Those types are known
 * when it has run.
 */
function needsTransaction({ statement, rowShape }: Execution): boolean {
  const { needsTransaction: isNeeded, isWrite, hasColumns } = programOf(statement)
  return isNeeded || (rowShape === 'cells' && isWrite && hasColumns)
}

/** The server no longer knows the prepared statement: nothing was executed. */
function isStaleStatementError(error: unknown): boolean {
  return error instanceof GatewayError && isStaleStatement(error.cause)
}

/** Converts errors of the adapter's own commands to problems. */
async function reportErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw driverError(error, false)
  }
}
