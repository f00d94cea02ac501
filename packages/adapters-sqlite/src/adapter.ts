import { availableParallelism } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import {
  type Adapter,
  type AdapterFactory,
  type AuthorizedStatement,
  type CompiledStatement,
  compileOf,
  type Execution,
  GatewayError,
  type Introspection,
  type ResultSet,
  silentLog,
  withOptions,
} from '@engine/core/adapter'
import { compileInSteps } from './compile.ts'
import { createDirectReader } from './driver/direct-reader.ts'
import { databaseLocation } from './driver/location.ts'
import { programOf } from './driver/make-program.ts'
import { paceOf } from './driver/pace.ts'
import { planLines } from './driver/plan-lines.ts'
import { isPatient, runTransaction } from './driver/run-transaction.ts'
import { createGroupWriter } from './driver/workers/group-writer.ts'
import type { Reply } from './driver/workers/messages.ts'
import type { TimeLimit } from './driver/workers/time-limit.ts'
import { createWorkerPool, type Lease, type WorkerPool } from './driver/workers/worker-pool.ts'
import { type ExecuteQuestion, type Question, startWorker } from './driver/workers/worker-thread.ts'
import { driverError, explained, writerBusy } from './errors/driver-error.ts'
import { introspectedTables } from './introspection/introspect.ts'
import { ownOptions, type SqliteOptions } from './options.ts'
import { sqliteTraits } from './traits.ts'

const maxReaders = 4
const defaultLockTimeoutMs = 5_000

/** A statement that was stopped has this time to end before its thread is abandoned. In milliseconds. */
const graceMs = 200

/**
 * While the schema is unchanged, the catalog is not read again for this number of milliseconds, whichever caller requests it:
 * reading the tables takes seconds.
 */
const freshMs = 30_000

/** Timeout of requests without a limit of their own, in milliseconds. */
const introspectionTimeoutMs = 120_000
const pingTimeoutMs = 10_000

/**
 * Opens a local SQLite database at the first call. Statements run in worker threads: the event loop never waits for the disk, nor
 * for a slow query.
 *
 * @throws {GatewayError} `invalidConfiguration` when the URL is invalid.
 *
 * @example
 * const adapter = sqliteAdapter({ url: 'shop.db' })
 * const { tables } = await adapter.introspect(AbortSignal.timeout(10_000))
 * await adapter.close()
 */
export function sqliteAdapter(options: SqliteOptions): Adapter {
  const given = databaseLocation(options.url)
  const location = {
    ...given,
    readOnly: options.readOnly === true || given.readOnly,
    create: options.create === true || given.create,
  }
  const { name = 'sqlite', log = silentLog, lockTimeoutMs = defaultLockTimeoutMs } = options
  const { isMemory, readOnly } = location
  const poolOf = (role: 'reader' | 'writer', max: number, before?: WorkerPool): WorkerPool =>
    createWorkerPool({
      max,
      graceMs,
      start: async (onExit) => {
        await before?.ready()
        try {
          const { setup, synchronous = 'full' } = options
          return await startWorker({ location, role, lockTimeoutMs, setup, synchronous, onExit })
        } catch (error) {
          // The pool's caller reports the error: a missing file fails once a second.
          log.debug({ connection: name, role, err: error }, 'a thread could not be started')
          throw error
        }
      },
      onAbandon: () => log.warn({ connection: name, role }, 'a statement did not stop in time'),
    })
  const readerCount = options.pool?.max ?? Math.min(maxReaders, availableParallelism())
  const writer = readOnly ? undefined : poolOf('writer', 1)
  // An in-memory database has one connection. For a file, the writer opens first: it may have to create the file, and it sets the
  // mode that readers use.
  const readers = isMemory && writer !== undefined ? writer : poolOf('reader', readerCount, writer)
  const groups = writer === undefined ? undefined : createGroupWriter(writer)
  const direct = isMemory ? undefined : createDirectReader(location)
  let known: KnownSchema | undefined
  let isOpen = false

  const acquire = async (isWrite: boolean, limit: TimeLimit, isPatient = true): Promise<Lease> => {
    const pool = isWrite ? writer : readers
    if (pool === undefined) throw explained('25006', true)
    const { busy, idle } = pool.state()
    if (!isPatient && busy > 0 && idle === 0) throw explained('55P03', true)
    const lease = await pool.acquire(limit).catch((error: unknown) => {
      const isWaiting = error instanceof GatewayError && error.problem === 'queryTimeout'
      throw isWrite && isWaiting && limit.signal?.aborted !== true ? writerBusy(error) : error
    })
    isOpen = true
    return lease
  }

  const withLease = async <T>(
    isWrite: boolean,
    limit: TimeLimit,
    use: (lease: Lease) => Promise<T>,
    isPatient = true,
  ): Promise<T> => {
    const lease = await acquire(isWrite, limit, isPatient)
    try {
      return await use(lease)
    } finally {
      lease.release()
    }
  }

  const questionOf = (execution: Execution, inTransaction: boolean): ExecuteQuestion => {
    const { statement, values, rowShape, maxRows } = execution
    const program = programOf(statement)
    const schemaVersion = versionToCheck(statement, known)
    if (program.isWrite && readOnly) throw explained('25006', true)
    return { kind: 'execute', program, values, rowShape, maxRows, inTransaction, schemaVersion }
  }

  /** Rows that had no parent before the transaction do not count: another connection still sees them. */
  const checkDeferred = async (lease: Lease, limit: TimeLimit): Promise<void> => {
    const orphans = await orphansOf(lease, limit)
    if (orphans.length === 0) return
    const before = isMemory ? [] : await withLease(false, limit, (other) => orphansOf(other, limit))
    if (!isPartOf(orphans, before)) throw explained('23503', true)
  }

  const execute = async (execution: Execution): Promise<ResultSet> => {
    const { statement, signal, timeoutMs } = execution
    const question = questionOf(execution, false)
    const { program, schemaVersion } = question
    const limit = { deadline: performance.now() + timeoutMs, signal }
    if (program.isSimple && !program.needsTransaction && isOpen) {
      const read = direct?.run(question, { schemaVersion, limit })
      const done = read instanceof Promise ? await read : read
      if (done !== undefined && 'rows' in done) return done
      if (done !== undefined) throw driverError(done, false)
    }
    if (groups !== undefined && program.isWrite && isPatient(execution)) {
      const reply = await groups.write(question, limit)
      if (reply.kind !== 'rows') throw unexpectedReply(reply, true)
      isOpen = true
      return reply.outcome
    }
    return withLease(
      statement.isWrite,
      limit,
      async (lease) => {
        const reply = await lease.ask(question, limit)
        if (reply.kind !== 'rows') throw unexpectedReply(reply, program.isWrite)
        const { outcome, takenMs } = reply
        if (program.isSimple) {
          paceOf(program).ranOnWorker({ takenMs, answerBytes: outcome.rows.length })
        }
        return outcome
      },
      isPatient(execution),
    )
  }

  return {
    kind: 'sqlite',
    traits: sqliteTraits,
    compile: compileOf(function* (statement) {
      return withSchemaVersion(yield* compileInSteps(statement), statement)
    }),

    introspect: async (signal) => {
      const limit = { deadline: performance.now() + introspectionTimeoutMs, signal }
      const isFresh = known !== undefined && performance.now() - known.readAt < freshMs
      const knownVersion = isFresh ? known?.version : undefined
      const reply = await withLease(false, limit, (lease) =>
        lease.ask({ kind: 'introspect', knownVersion }, limit),
      )
      if (reply.kind === 'done' && known !== undefined) return known.introspection
      if (reply.kind !== 'schema') throw unexpectedReply(reply, false)
      const { facts } = reply
      for (const view of facts.brokenViews) log.warn({ connection: name, ...view }, 'unusable view')
      const { include, exclude = [] } = options.tables ?? {}
      const { types, columnTypes } = options
      const selection = { include, exclude, types, columnTypes }
      const found = { types: [], ...introspectedTables(facts, selection) }
      known = knownSchema(found, facts.version, known)
      return known.introspection
    },

    schemaVersion: async (signal) => {
      const limit = { deadline: performance.now() + pingTimeoutMs, signal }
      const reply = await withLease(false, limit, (lease) =>
        lease.ask({ kind: 'schemaVersion' }, limit),
      )
      if (reply.kind !== 'schemaVersion') throw unexpectedReply(reply, false)
      return reply.version === known?.version ? known.name : String(reply.version)
    },

    execute,

    planLines: (execution, _options, run = execute) => planLines(execution, run),

    transaction: (transactionOptions, body) =>
      runTransaction(transactionOptions, body, {
        acquire,
        send,
        question: (execution) => questionOf(execution, true),
        execute,
        checkDeferred,
      }),

    ping: async (signal) => {
      if (isOpen && direct?.answers() === true) return
      const limit = { deadline: performance.now() + pingTimeoutMs, signal }
      await withLease(false, limit, (lease) => send(lease, { kind: 'ping' }, limit))
    },

    poolState: () => {
      const states = [...new Set([readers, writer])].flatMap((pool) => pool?.state() ?? [])
      return {
        busy: sum(states.map(({ busy }) => busy)),
        idle: sum(states.map(({ idle }) => idle)),
        waiting: sum(states.map(({ waiting }) => waiting)) + (groups?.waiting() ?? 0),
      }
    },

    hasRoom: () => readers.hasRoom(),

    close: async () => {
      direct?.close()
      await groups?.idle()
      await readers.close()
      await writer?.close()
    },
  }
}

/** What the last introspection found. */
interface KnownSchema {
  readonly introspection: Introspection
  /** SQLite's version of the schema. */
  readonly version: number
  /** `Introspection.schemaVersion`: the first of the versions that were introspected alike, one after the other. */
  readonly name: string
  readonly readAt: number
}

function knownSchema(
  found: Introspection,
  version: number,
  before: KnownSchema | undefined,
): KnownSchema {
  const same = before && { ...found, schemaVersion: before.name }
  const isSame = isDeepStrictEqual(same, before?.introspection)
  const name = isSame && before !== undefined ? before.name : String(version)
  const introspection = { ...found, schemaVersion: name }
  return { introspection, version, name, readAt: performance.now() }
}

/** The version that the database must have for a statement; undefined: any. */
function versionToCheck(
  { hints }: CompiledStatement,
  known: KnownSchema | undefined,
): number | undefined {
  const bound = hints?.['schemaVersion']
  return bound === undefined || bound === known?.name ? known?.version : Number(bound)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/**
 * Opens an entry of `connections` for the engine.
 *
 * @throws {GatewayError} `invalidConfiguration` for options that SQLite does not support.
 *
 * @example
 * const engine = await createEngine(config, { adapters: { '@engine/adapters-sqlite': connect } })
 */
export const connect: AdapterFactory = withOptions(ownOptions, (connection, own) => {
  const { name, url, readOnly, pool, schema, tables, types, columnTypes, log } = connection
  if (schema !== undefined) {
    const message = `connections.${name}.schema: SQLite has no schemas`
    throw new GatewayError('invalidConfiguration', message)
  }
  return sqliteAdapter({
    name,
    url,
    pool,
    tables,
    types,
    columnTypes,
    synchronous: own.synchronous,
    log,
    ...(readOnly ? { readOnly } : {}),
    ...(own.create ? { create: true } : {}),
  })
})

const nothing: ResultSet = { rows: '', rowCount: 0, truncated: false }

async function send(lease: Lease, question: Question, limit: TimeLimit): Promise<ResultSet> {
  const reply = await lease.ask(question, limit)
  if (reply.kind === 'rows') return reply.outcome
  if (reply.kind === 'done') return nothing
  throw unexpectedReply(reply, question.kind === 'execute' && question.program.isWrite)
}

async function orphansOf(lease: Lease, limit: TimeLimit): Promise<readonly string[]> {
  const reply = await lease.ask({ kind: 'orphans' }, limit)
  if (reply.kind === 'orphans') return reply.orphans
  throw unexpectedReply(reply, true)
}

/** Does `all` contain every text of `some`, at least as often? */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  const left = [...all]
  return some.every((text) => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

function unexpectedReply(reply: Reply, isWrite: boolean): GatewayError {
  if (reply.kind === 'failed') return driverError(reply.fault, isWrite)
  return new GatewayError('internal', `a reply of kind ${reply.kind} came unasked`)
}

/** Hints tell the threads which schema the statement was compiled for. */
function withSchemaVersion(
  compiled: CompiledStatement,
  { connection: { schemaVersion } }: AuthorizedStatement,
): CompiledStatement {
  return { ...compiled, hints: { ...compiled.hints, schemaVersion } }
}
