import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { type DataAnswer, type Gateway, postData } from '../gateway.ts'

/** A Kysely dialect whose every query is one `POST /data`. */
export function gatewayDialect(gateway: Gateway): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => gatewayDriver(gateway),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: () => {
      throw new Error('The catalog is not open to queries; GET /schema describes it.')
    },
  }
}

function gatewayDriver(gateway: Gateway): Driver {
  const connection = gatewayConnection(gateway)
  const nothing = async () => undefined
  const refuseTransaction = async () => {
    throw new Error('Each request stands alone; POST /data/batch runs several as one transaction.')
  }
  return {
    init: nothing,
    acquireConnection: async () => connection,
    releaseConnection: nothing,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: nothing,
  }
}

function gatewayConnection(gateway: Gateway): DatabaseConnection {
  return {
    executeQuery: async <R>(query: CompiledQuery) => {
      const answer = await postData(gateway, {
        sql: query.sql,
        params: query.parameters.map(wireParameter),
        method: 'all',
        meta: true,
      })
      return queryResult<R>(query, answer)
    },
    streamQuery: () => {
      throw new Error('Rows come in one answer; ask for them in pages.')
    },
  }
}

function wireParameter(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value
}

/** Kysely wants rows as objects and, of a write, how many rows it touched. */
function queryResult<R>(query: CompiledQuery, answer: DataAnswer): QueryResult<R> {
  const names = answer.columns?.map((column) => column.name) ?? []
  const rows = (answer.rows as unknown[][]).map(
    (row) => Object.fromEntries(names.map((name, index) => [name, row[index]])) as R,
  )
  const isRead = query.query.kind === 'SelectQueryNode'
  return isRead || answer.rowCount == null
    ? { rows }
    : { rows, numAffectedRows: BigInt(answer.rowCount) }
}
