/** @module The user's databases for the application's own code: Kysely, through the engine, with full rights. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { GatewayError } from '../../foundation/errors.ts'
import { parameterJson } from './parameter-json.ts'
import type {
  SystemIdentity,
  SystemRows,
  SystemStatement,
  SystemStatements,
} from './system-statements.ts'
import { createSystemTransaction, type SystemTransaction } from './system-transaction.ts'

/** The user's databases for the duration of one piece of work. */
export interface EngineDatabase {
  /** Tables are `<connection>.<table>`. Values are those of `POST /data`, for every kind of database. */
  // biome-ignore lint/suspicious/noExplicitAny: tables are those of the user's connections
  readonly database: Kysely<any>
  /** Rolls back open transactions, and refuses every later statement. */
  end(): Promise<void>
}

export interface EngineDatabaseOptions extends SystemIdentity {
  /** Called for each transaction, and for each statement outside of one. */
  readonly use: () => UsedStatements
  /** Stops the running statement, and rolls back. */
  readonly signal: AbortSignal | undefined
}

/** Statements under one configuration. */
export interface UsedStatements {
  readonly statements: SystemStatements
  /** Called once: they are not used any more. */
  end(): void
}

const failures = new WeakSet<Error>()

/** Does the error come from a statement of such a database? Then its message may contain names that are hidden from clients. */
export function isEngineDatabaseError(error: unknown): boolean {
  return error instanceof Error && failures.has(error)
}

export function createEngineDatabase(options: EngineDatabaseOptions): EngineDatabase {
  const open: OpenTransactions = new Map()
  let isOver = false
  const driver = createDriver(options, open, () => isOver)
  return {
    database: new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (database) => new PostgresIntrospector(database),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    end: async () => {
      isOver = true
      await Promise.all([...open.keys()].map((transaction) => transaction.rollBack()))
      for (const transaction of open.keys()) forget(open, transaction)
    },
  }
}

/** Each with the function that ends the use of its statements. */
type OpenTransactions = Map<SystemTransaction, () => void>

function forget(open: OpenTransactions, transaction: SystemTransaction): void {
  const end = open.get(transaction)
  open.delete(transaction)
  end?.()
}

/** Kysely's connection. It holds a database connection only while a transaction is open. */
interface EngineConnection extends DatabaseConnection {
  transaction: SystemTransaction | undefined
}

function createDriver(
  { use, signal, caller, origin }: EngineDatabaseOptions,
  open: OpenTransactions,
  isOver: () => boolean,
): Driver {
  const identity = { caller, origin }

  const run = async (
    { transaction }: EngineConnection,
    { sql, parameters }: CompiledQuery,
  ): Promise<SystemRows> => {
    if (isOver()) throw over()
    const statement: SystemStatement = { sql, params: parameters.map(parameterJson), signal }
    if (transaction !== undefined) return transaction.run(statement)
    const used = use()
    try {
      return await used.statements.run(statement, identity)
    } finally {
      used.end()
    }
  }

  const connect = (): EngineConnection => {
    const connection: EngineConnection = {
      transaction: undefined,
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        const { rows, rowCount } = await marked(() => run(connection, query))
        return { rows: rows as Row[], numAffectedRows: BigInt(rowCount) }
      },
      streamQuery: () => {
        throw unsupported('Streams are not supported: read page by page.')
      },
    }
    return connection
  }

  const end = async (
    connection: DatabaseConnection,
    work: (transaction: SystemTransaction) => Promise<void>,
  ): Promise<void> => {
    const own = connection as EngineConnection
    const { transaction } = own
    own.transaction = undefined
    if (transaction === undefined) return
    try {
      await marked(() => work(transaction))
    } finally {
      forget(open, transaction)
    }
  }

  return {
    init: async () => undefined,
    acquireConnection: async () => connect(),
    beginTransaction: async (connection, { isolationLevel, accessMode }) => {
      if (isOver()) throw over()
      if (isolationLevel !== undefined) {
        throw unsupported('Transactions have the isolation level of their database.')
      }
      const readOnly = accessMode === 'read only'
      const { statements, end: endUse } = use()
      const transaction = createSystemTransaction({ statements, identity, readOnly, signal })
      open.set(transaction, endUse)
      ;(connection as EngineConnection).transaction = transaction
    },
    commitTransaction: async (connection) => {
      const { transaction } = connection as EngineConnection
      await marked(async () => transaction?.commit())
      await end(connection, async () => undefined)
    },
    rollbackTransaction: (connection) => end(connection, (transaction) => transaction.rollBack()),
    savepoint: async () => {
      throw unsupported('Savepoints are not supported.')
    },
    releaseConnection: (connection) => end(connection, (transaction) => transaction.rollBack()),
    destroy: async () => undefined,
  }
}

async function marked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error) failures.add(error)
    throw error
  }
}

function unsupported(message: string): GatewayError {
  const error = new GatewayError('unsupported', message)
  failures.add(error)
  return error
}

function over(): GatewayError {
  return new GatewayError('internal', 'a database was used after the end of what it was for')
}
