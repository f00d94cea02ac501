import {
  compileInSteps,
  introspectedTables,
  programOf,
  sqliteTraits,
} from '@engine/adapters-sqlite/dialect'
import {
  type Adapter,
  type ConnectionOptions,
  compileOf,
  type Execution,
  explainSqlState,
  GatewayError,
  type ResultSet,
  type Session,
  silentLog,
  type TransactionOptions,
} from '@engine/core/adapter'
import {
  type DeferredCommands,
  deferBegin,
  isReadCommitted,
  retryReads,
  runTransaction,
} from '@engine/core/driver'
import { executeAsBound } from './driver/execute-as-bound.ts'
import { openClient, type Transaction } from './driver/libsql-client.ts'
import { isSingleStep, runProgram } from './driver/run-program.ts'
import { driverError } from './errors/driver-error.ts'
import { readSchema } from './introspection/read-schema.ts'
import type { LibsqlOptions } from './options.ts'

/** The work that was running when a connection broke or a caller cancelled. */
type Phase = 'read' | 'write' | 'commit'

/** Time limit of introspection and pings, in milliseconds. */
const housekeepingMs = 30_000

const name = 'libSQL'

/** In some versions `concat_ws` omits empty texts. */
const unreliableFunctions: ReadonlySet<string> = new Set(['concat_ws'])

/** Table-valued functions, which the server's list of functions leaves out. */
const tableFunctions = ['json_each', 'json_tree'] as const

/**
 * Opens a database on a libSQL server: Turso, or your own sqld. Connects when it is first used.
 *
 * @throws {GatewayError} `invalidConfiguration` for an invalid URL.
 *
 * @example
 * const adapter = libsqlAdapter({ url: 'libsql://shop.turso.io?authToken=...' })
 * const { tables } = await adapter.introspect(AbortSignal.timeout(10_000))
 * await adapter.close()
 */
export function libsqlAdapter(options: LibsqlOptions): Adapter {
  const { name: connection = 'libsql', log = silentLog, readOnly = false } = options
  const client = openClient(options.url, connection)
  let functions: ReadonlySet<string> = new Set()

  const bounded = async <T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    phase: Phase,
    work: () => Promise<T>,
  ): Promise<T> => {
    const limit = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? limit : AbortSignal.any([limit, signal])
    try {
      return await client.within(either, work)
    } catch (error) {
      throw either.aborted ? stopped(phase, error) : driverError(error, phase !== 'read')
    }
  }

  const runOnce = (execution: Execution): Promise<ResultSet> => {
    const program = programOf(execution.statement)
    const { timeoutMs, signal } = execution
    if (program.isWrite && readOnly) throw explained('25006')
    if (isSingleStep(program)) {
      const mode = program.isWrite ? 'write' : 'read'
      return bounded(timeoutMs, signal, program.isWrite ? 'commit' : 'read', () =>
        runProgram(program, execution, (statement) =>
          executeAsBound(
            (statements) => client.batch(statements, mode),
            statement,
            schemaVersionOf(execution),
          ),
        ),
      )
    }
    return inTransaction({ timeoutMs, signal, readOnly: !program.isWrite }, (session) =>
      session.execute(execution),
    )
  }

  const inTransaction = async <T>(
    transactionOptions: TransactionOptions,
    body: (session: Session) => Promise<T>,
  ): Promise<T> => {
    const isLate = isReadCommitted(transactionOptions)
    if (!transactionOptions.readOnly && readOnly && !isLate) throw explained('25006')
    const commands = commandsOf(transactionOptions)
    const late = isLate ? deferBegin(commands, runOnce) : commands
    return runTransaction(late, body, transactionOptions.signal)
  }

  const commandsOf = ({
    timeoutMs,
    signal,
    readOnly: isRead,
  }: TransactionOptions): DeferredCommands => {
    const phase = isRead ? 'read' : 'write'
    let transaction: Transaction | undefined
    const open = async (): Promise<Transaction> => {
      transaction ??= await client.transaction(phase)
      return transaction
    }
    const command = (sql: string): Promise<void> =>
      bounded(timeoutMs, signal, phase, async () => {
        await (await open()).execute(sql)
      })
    return {
      // BEGIN is sent with the first statement.
      begin: async () => undefined,
      execute: async (execution) => {
        const { statement, timeoutMs: ownMs } = execution
        if (statement.isWrite && (isRead || readOnly)) throw explained('25006')
        return bounded(Math.min(timeoutMs, ownMs), execution.signal, phase, async () => {
          const opened = await open()
          return runProgram(programOf(statement), execution, (step) =>
            executeAsBound(
              (statements) => opened.batch(statements),
              step,
              schemaVersionOf(execution),
            ),
          )
        })
      },
      savepoint: (name) => command(`savepoint ${name}`),
      rollBackTo: (name) => command(`rollback to ${name}`),
      releaseSavepoint: (name) => command(`release ${name}`),
      commit: () =>
        bounded(timeoutMs, undefined, 'commit', async () => {
          await transaction?.commit()
        }),
      rollBack: async () => {
        const ending = transaction
        transaction = undefined
        try {
          await bounded(timeoutMs, undefined, phase, async () => ending?.rollback())
        } catch {
          // A closed transaction is rolled back, even when the server cannot be reached.
          ending?.close()
        }
      },
    }
  }

  return {
    kind: 'sqlite',
    traits: sqliteTraits,
    compile: compileOf(function* (statement) {
      const compiled = yield* compileInSteps(statement, { name, functions })
      const { schemaVersion } = statement.connection
      return { ...compiled, hints: { ...compiled.hints, schemaVersion } }
    }),

    introspect: (signal) =>
      bounded(housekeepingMs, signal, 'read', async () => {
        const found = await client.execute('select distinct lower(name) from pragma_function_list')
        functions = new Set([
          ...found.rows.map((row) => String(row[0])),
          ...tableFunctions,
        ]).difference(unreliableFunctions)
        const facts = await readSchema(client)
        for (const view of facts.brokenViews) log.warn({ connection, ...view }, 'unusable view')
        const { include, exclude = [] } = options.tables ?? {}
        const { types, columnTypes } = options
        const selection = { include, exclude, types, columnTypes }
        return {
          types: [],
          schemaVersion: String(facts.version),
          ...introspectedTables(facts, selection),
        }
      }),

    schemaVersion: (signal) =>
      bounded(housekeepingMs, signal, 'read', async () => {
        const { rows } = await client.execute('pragma schema_version')
        return String(rows[0]?.[0])
      }),

    execute: (execution) =>
      retryReads({ isWrite: execution.statement.isWrite, signal: execution.signal }, async () =>
        runOnce(execution),
      ),

    transaction: inTransaction,

    ping: (signal) =>
      bounded(housekeepingMs, signal, 'read', async () => {
        await client.execute('select 1')
      }),

    close: async () => client.close(),
  }
}

/**
 * Opens an entry of `connections`; the engine calls it.
 *
 * @throws {GatewayError} `invalidConfiguration` for options that libSQL does not have.
 *
 * @example
 * const engine = await createEngine(config, { adapters: { '@engine/adapters-libsql': connect } })
 */
export function connect(options: ConnectionOptions): Adapter {
  const { url, readOnly, schema, tables, types, columnTypes, log } = options
  if (schema !== undefined) {
    const message = `connections.${options.name}.schema: libSQL has no schemas`
    throw new GatewayError('invalidConfiguration', message)
  }
  return libsqlAdapter({ name: options.name, url, readOnly, tables, types, columnTypes, log })
}

function schemaVersionOf({ statement: { hints } }: Execution): number | undefined {
  const version = hints?.['schemaVersion']
  return version === undefined ? undefined : Number(version)
}

function explained(sqlState: string, cause?: unknown, isWrite = true): GatewayError {
  const { problem, message } = explainSqlState(sqlState, isWrite)
  return new GatewayError(problem, message, { sqlState, cause })
}

/** A write that was cancelled while the server committed it has an unknown outcome. */
function stopped(phase: Phase, cause: unknown): GatewayError {
  if (phase !== 'commit') return explained('57014', cause, phase === 'write')
  const message = 'The database did not say whether the write was committed.'
  return new GatewayError('unavailable', message, { sqlState: '08007', cause })
}
