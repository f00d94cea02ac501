/** @module The options of a database on a libSQL server. */
import type { ConfiguredTypes, Log } from '@engine/core/adapter'

/** Options of `libsqlAdapter`. */
export interface LibsqlOptions {
  /** `libsql:`, `https:`, `http:`, `wss:` or `ws:`; with `?authToken=...` where the server requires one. */
  readonly url: string
  /** Used in messages and logs. */
  readonly name?: string
  readonly readOnly?: boolean
  readonly tables?: {
    readonly include?: readonly string[] | undefined
    readonly exclude?: readonly string[]
  }
  /** `declared`: an integer column has its declared width. Default: the width of the stored values. */
  readonly types?: 'declared' | 'inferred'
  /** `smallint`, `integer` or `bigint` for single integer columns, by table and column. */
  readonly columnTypes?: ConfiguredTypes
  readonly log?: Log
}
