import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'

/** Where the engine answers, and as whom you come. */
export interface EngineOptions {
  /** Base address, `http://127.0.0.1:3001`. */
  readonly url: string
  /** Bearer token; undefined for an engine in open mode. */
  readonly token: string | undefined
}

/**
 * Connects Kysely to the engine: `new Kysely<Database>({ dialect: engineDialect({ url, token }) })`.
 * Every query is one request. When the engine refuses it, the error has the `status`, `code` and
 * `correlationId` of the refusal.
 */
export function engineDialect(options: EngineOptions): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => engineDriver(options),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: () => {
      throw new Error('The engine describes its tables at GET /schema.')
    },
  }
}

function engineDriver(options: EngineOptions): Driver {
  const connection: DatabaseConnection = {
    executeQuery: (query, execution) => execute(options, query, execution?.signal),
    streamQuery: () => {
      throw new Error('Rows come in one answer: ask for them in pages.')
    },
  }
  const nothing = async () => undefined
  const noTransaction = async () => {
    throw new Error('Requests stand alone: POST /data/batch runs several as one transaction.')
  }
  return {
    init: nothing,
    acquireConnection: async () => connection,
    releaseConnection: nothing,
    beginTransaction: noTransaction,
    commitTransaction: noTransaction,
    rollbackTransaction: noTransaction,
    destroy: nothing,
  }
}

/** What `POST /data` answers. */
interface Answer {
  readonly rows: readonly (readonly unknown[])[]
  readonly columns: readonly { readonly name: string }[]
  /** Rows returned, or rows written by a statement that returns none. */
  readonly rowCount: number
}

/** What the engine answers when it says no. */
interface Refusal {
  readonly error: string
  readonly message: string
  readonly correlation_id: string
}

async function execute<Row>(
  { url, token }: EngineOptions,
  query: CompiledQuery,
  signal: AbortSignal | undefined,
): Promise<QueryResult<Row>> {
  const params = query.parameters.map(wireValue)
  const response = await fetch(`${url}/data`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ sql: query.sql, params, method: 'all', meta: true }),
    signal: signal ?? null,
  })
  if (response.ok) return queryResult(query, (await response.json()) as Answer)
  const refusal = (await response.json()) as Refusal
  throw Object.assign(new Error(refusal.message), {
    status: response.status,
    code: refusal.error,
    correlationId: refusal.correlation_id,
  })
}

/** Kysely wants rows as objects and, of a write, how many rows it touched. */
function queryResult<Row>(query: CompiledQuery, answer: Answer): QueryResult<Row> {
  const rows = answer.rows.map(
    (row) => Object.fromEntries(answer.columns.map(({ name }, index) => [name, row[index]])) as Row,
  )
  return query.query.kind === 'SelectQueryNode'
    ? { rows }
    : { rows, numAffectedRows: BigInt(answer.rowCount) }
}

/** JSON has neither bigints nor bytes: they travel as digits and as `\x` with hex digits. */
function wireValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (!(value instanceof Uint8Array)) return value
  return `\\x${[...value].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
