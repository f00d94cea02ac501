/** @module A Kysely dialect for an engine. Start at `engineDialect`. */
import type { DataRequest, DataResponse } from '@engine/contract'
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  DeleteResult,
  type Dialect,
  type Driver,
  InsertResult,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
  UpdateResult,
} from 'kysely'
import type { CallOptions, QueryClient } from './client.ts'

/**
 * A dialect for Kysely. Every query is one request; errors are `EngineError`.
 *
 * @example
 * const db = new Kysely<Database>({ dialect: engineDialect(client) })
 */
export function engineDialect(client: QueryClient): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => engineDriver(client),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: () => {
      throw new Error('The engine describes its tables at GET /schema; engine-codegen reads them.')
    },
  }
}

/** The results of several queries: each as its `execute` returns it. */
export type KyselyResults<Queries extends readonly Compilable[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends Compilable<infer Row> ? Row[] : never
}

/**
 * Runs several queries in one transaction on one connection: all of them or none. Plugins see the queries, but not the
 * rows, so columns have their names in the database.
 *
 * @example
 * const [orders] = await batch(client, [db.insertInto('main.orders').values(order).returningAll(), db.updateTable(...)])
 */
export async function batch<const Queries extends readonly Compilable[]>(
  client: QueryClient,
  queries: Queries,
  options?: CallOptions,
): Promise<KyselyResults<Queries>> {
  const compiled = queries.map((query) => query.compile())
  const answers = await client.batch(compiled.map(requestOf), options)
  return compiled.map((query, index) =>
    resultOf(query, answers[index] ?? { rows: [] }),
  ) as KyselyResults<Queries>
}

function engineDriver(client: QueryClient): Driver {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(
      query: CompiledQuery,
      options?: CallOptions,
    ): Promise<QueryResult<Row>> => {
      const answer = await client
        .query(requestOf(query), { signal: options?.signal })
        .catch((error: unknown): DataResponse => {
          // By then Kysely has thrown the signal's reason, and it prints every later rejection.
          if (options?.signal?.aborted === true) return { rows: [] }
          throw error
        })
      const rows = objectsOf(answer) as Row[]
      const isWrite = query.query.kind !== 'SelectQueryNode'
      return isWrite ? { rows, numAffectedRows: BigInt(answer.rowCount ?? rows.length) } : { rows }
    },
    streamQuery: () => {
      throw new Error('Rows come in one answer: ask for them in pages, with limit and where.')
    },
  }
  const nothing = async () => undefined
  const refuse = async () => {
    throw new Error(
      'Each request stands alone: batch(client, [...]) runs several queries as one transaction, an action any code.',
    )
  }
  return {
    init: nothing,
    acquireConnection: async () => connection,
    releaseConnection: nothing,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: nothing,
  }
}

function requestOf({ sql, parameters }: CompiledQuery): DataRequest {
  return { sql, params: parameters, method: 'all', meta: true }
}

/** A write without RETURNING returns the number of affected rows. */
function resultOf({ query }: CompiledQuery, answer: DataResponse): unknown[] {
  const returnsRows = 'returning' in query && query.returning !== undefined
  const count = BigInt(answer.rowCount ?? 0)
  switch (returnsRows ? 'SelectQueryNode' : query.kind) {
    case 'InsertQueryNode':
      return [new InsertResult(undefined, count)]
    case 'UpdateQueryNode':
      return [new UpdateResult(count, undefined)]
    case 'DeleteQueryNode':
      return [new DeleteResult(count)]
    default:
      return objectsOf(answer)
  }
}

/** Rows by column name; of columns with the same name the last one is kept. */
function objectsOf({ rows, columns = [] }: DataResponse): object[] {
  return (rows ?? []).map((row) =>
    Object.fromEntries(
      columns.map(({ name }, index) => [name, (row as readonly unknown[])[index]]),
    ),
  )
}
