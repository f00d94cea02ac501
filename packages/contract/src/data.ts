/**
 * How rows come back.
 * - `all`, `values`: `rows[i][j]` is row i, column j
 * - `get`: `rows` is the first row itself, or null when there is none
 * - `run`: `rows` is empty
 * - `execute`: `rows[i]` is an object by column name
 */
export type Method = 'all' | 'get' | 'values' | 'run' | 'execute'

/** Every method, for checks at run time. */
export const methods: readonly Method[] = ['all', 'get', 'values', 'run', 'execute']

/** Body of `POST /data`. */
export interface DataRequest {
  /** PostgreSQL with `$1, $2 ...`; tables are `"<connection>"."<table>"`. */
  readonly sql: string
  readonly params: readonly unknown[]
  readonly method: Method
  /** Adds `columns`, `rowCount` and `truncated` to the answer. */
  readonly meta?: boolean
}

/** Answer of `POST /data`. */
export interface DataResponse {
  readonly rows: readonly unknown[] | null
  readonly columns?: readonly ResultColumn[]
  /** Rows returned, or rows written by a statement without RETURNING. */
  readonly rowCount?: number
  /** `limits.maxRows` cut the answer. */
  readonly truncated?: boolean
}

/** A column of an answer. */
export interface ResultColumn {
  readonly name: string
  /** PostgreSQL's name of the type: `integer`, `numeric(10,2)`, `timestamp with time zone`. */
  readonly type: string
}

/** Body of `POST /data/batch`: one connection, one transaction, all or nothing. */
export interface BatchRequest {
  readonly statements: readonly DataRequest[]
}

/** Answer of `POST /data/batch`: one answer for each statement, in their order. */
export interface BatchResponse {
  readonly results: readonly DataResponse[]
}
