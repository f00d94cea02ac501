/** @module Kysely over the connections of a service database. */
import type { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { ServiceConnection, ServiceDatabase, StoreValue } from './service-database.ts'
import type { StoreKind } from './store.ts'
import { storeError } from './store-error.ts'

/** Does the current code run inside of a transaction? Such code must not wait for a second connection. */
export interface TransactionScope {
  isOpen: boolean
}

export interface StoreDialectOptions {
  readonly database: ServiceDatabase
  /** Throws while the tables are not up to date. */
  readonly requireReady: () => void
  readonly scope: AsyncLocalStorage<TransactionScope>
}

/** Any number of connections; while all are busy, a request waits in the adapter. */
export function storeDialect(options: StoreDialectOptions): Dialect {
  return { ...parts[options.database.kind], createDriver: () => createDriver(options) }
}

/** Kysely's own SQLite adapter declares a single connection, and Kysely would queue all requests for it without a limit. */
const sqliteAdapter: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsMultipleConnections: true,
  supportsTransactionalDdl: true,
  supportsReturning: true,
  acquireMigrationLock: async () => undefined,
  releaseMigrationLock: async () => undefined,
}

const sqlite: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => sqliteAdapter,
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (database) => new SqliteIntrospector(database),
}

const parts: Readonly<Record<StoreKind, Omit<Dialect, 'createDriver'>>> = {
  sqlite,
  libsql: sqlite,
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (database) => new PostgresIntrospector(database),
  },
  mysql: {
    createAdapter: () => new MysqlAdapter(),
    createQueryCompiler: () => new MysqlQueryCompiler(),
    createIntrospector: (database) => new MysqlIntrospector(database),
  },
}

/** A connection as Kysely uses it. */
interface StoreConnection extends DatabaseConnection {
  readonly begin: () => Promise<void>
  readonly commit: () => Promise<void>
  readonly rollBack: () => Promise<void>
  readonly release: () => void
}

function createDriver({ database, requireReady, scope }: StoreDialectOptions): Driver {
  const own = (connection: DatabaseConnection) => connection as StoreConnection
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      if (scope.getStore()?.isOpen === true) {
        throw new Error('a statement inside of a store transaction went around it')
      }
      requireReady()
      return createConnection(await reported(() => database.acquire()))
    },
    beginTransaction: (connection) => own(connection).begin(),
    commitTransaction: (connection) => own(connection).commit(),
    rollbackTransaction: (connection) => own(connection).rollBack(),
    releaseConnection: async (connection) => own(connection).release(),
    destroy: () => database.close(),
  }
}

/** After a failure a transaction can only be rolled back, on every database, even if its user ignores the failure. */
function createConnection(connection: ServiceConnection): StoreConnection {
  let isInTransaction = false
  let failure: { readonly error: unknown } | undefined
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure !== undefined) throw failure.error
    try {
      return await reported(work)
    } catch (error) {
      if (isInTransaction) failure = { error }
      throw error
    }
  }
  return {
    executeQuery: <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> =>
      guarded(async () => {
        const result = await connection.execute(sql, parameters.map(storeValue))
        const { rows, affectedRows, insertId } = result
        return {
          rows: rows as Row[],
          ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }),
          ...(insertId === undefined ? {} : { insertId: BigInt(insertId) }),
        }
      }),
    streamQuery: () => {
      throw new Error('the service database gives no streams: read page by page')
    },
    begin: async () => {
      isInTransaction = true
      await guarded(() => connection.begin())
    },
    commit: async () => {
      await guarded(() => connection.commit())
      isInTransaction = false
    },
    rollBack: async () => {
      isInTransaction = false
      failure = undefined
      await reported(() => connection.rollBack())
    },
    release: () => connection.release(),
  }
}

async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeError(error)
  }
}

function storeValue(value: unknown): StoreValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value
    case 'boolean':
      return value ? 1 : 0
    default:
  }
  if (value === null || value instanceof Uint8Array) return value
  throw new TypeError('a value that the service database does not keep')
}
