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
import { advanceSql, type CountedChanges } from './change-counter.ts'
import type { ServiceConnection, ServiceDatabase, ServiceResult } from './service-database.ts'
import type { StoreKind, StoreValue } from './store.ts'
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
  /** Statements that advance the change counter, in the same transaction. */
  readonly counted: CountedChanges
  /** Called after this node has advanced the counter. */
  readonly onCounted: () => void
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

function createDriver({
  database,
  requireReady,
  scope,
  counted,
  onCounted,
}: StoreDialectOptions): Driver {
  const own = (connection: DatabaseConnection) => connection as StoreConnection
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      if (scope.getStore()?.isOpen === true) {
        throw new Error('a statement inside of a store transaction went around it')
      }
      requireReady()
      const connection = await reported(() => database.acquire())
      return createConnection(connection, { kind: database.kind, counted, onCounted })
    },
    beginTransaction: (connection) => own(connection).begin(),
    commitTransaction: (connection) => own(connection).commit(),
    rollbackTransaction: (connection) => own(connection).rollBack(),
    releaseConnection: async (connection) => own(connection).release(),
    destroy: () => database.close(),
  }
}

/** After a failure a transaction can only be rolled back, on every database, even if its user ignores the failure. */
function createConnection(
  connection: ServiceConnection,
  {
    kind,
    counted,
    onCounted,
  }: Pick<StoreDialectOptions, 'counted' | 'onCounted'> & { readonly kind: StoreKind },
): StoreConnection {
  let isInTransaction = false
  let hasCounted = false
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
  const begin = async () => {
    isInTransaction = true
    hasCounted = false
    await guarded(() => connection.begin())
  }
  /** The counter is the last row that a transaction locks, so that others wait for it only a short time. */
  const commit = async () => {
    if (hasCounted) await guarded(() => advance(connection, kind))
    try {
      await guarded(() => connection.commit())
    } finally {
      if (hasCounted) onCounted()
    }
    isInTransaction = false
  }
  const rollBack = async () => {
    isInTransaction = false
    failure = undefined
    await reported(() => connection.rollBack())
  }
  const execute = ({ sql, parameters }: CompiledQuery) =>
    guarded(() => connection.execute(sql, parameters.map(storeValue)))
  const executeCounted = async (query: CompiledQuery): Promise<ServiceResult> => {
    if (isInTransaction) {
      const result = await execute(query)
      if (result.affectedRows !== 0) hasCounted = true
      return result
    }
    await begin()
    try {
      const result = await executeCounted(query)
      await commit()
      return result
    } catch (error) {
      await rollBack()
      throw error
    }
  }
  return {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const isCounted = counted.has(query.sql, query.query)
      const result = await (isCounted ? executeCounted(query) : execute(query))
      const { rows, affectedRows, insertId } = result
      return {
        rows: rows as Row[],
        ...(affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }),
        ...(insertId === undefined ? {} : { insertId: BigInt(insertId) }),
      }
    },
    streamQuery: () => {
      throw new Error('the service database gives no streams: read page by page')
    },
    begin,
    commit,
    rollBack,
    release: () => connection.release(),
  }
}

/** @throws {Error} when the counter is missing: a change that is not counted must not happen. */
async function advance(connection: ServiceConnection, kind: StoreKind): Promise<void> {
  const { affectedRows } = await connection.execute(advanceSql(kind), [])
  if (affectedRows !== 1) throw new Error('engine_changes lacks its row')
}

async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeError(error)
  }
}

/** A parameter of a compiled query. */
export function storeValue(value: unknown): StoreValue {
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
