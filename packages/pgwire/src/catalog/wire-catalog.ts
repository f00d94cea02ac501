/** @module Answers queries about system catalogs, and statements without tables that the engine cannot answer. It holds no data of users. */
import type { PgWireLoad, VisibleCatalog } from '@engine/core/session'
import type { Format } from '../protocol/frontend-message.ts'
import type { FieldDescription } from '../protocol/message-writer.ts'

export interface WireCatalog {
  /** Embedded PostgreSQL, or a built-in list. */
  readonly kind: 'pglite' | 'builtin'
  /** Version of the embedded PostgreSQL: clients get it as `server_version`, unless the configuration sets another. */
  readonly serverVersion: string
  /** @throws {GatewayError} with `sqlState` and `position`: PostgreSQL's error. */
  describe(query: TimedCatalogQuery, scope: CatalogScope): Promise<CatalogDescription>
  /**
   * @throws {GatewayError} with `sqlState` and `position`: PostgreSQL's error; `queryTimeout` when it took too long or
   * was cancelled.
   */
  run(query: CatalogRun, scope: CatalogScope): Promise<CatalogAnswer>
  /** Starts what the first question needs. */
  warm(): void
  state(): PgWireLoad['catalog']
  close(): Promise<void>
}

export interface CatalogQuery {
  /** One statement that only reads. */
  readonly sql: string
  readonly parameterOids: readonly number[]
}

export interface TimedCatalogQuery extends CatalogQuery {
  /** Of everything: waiting for a server that answers, and its answer. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export interface CatalogRun extends TimedCatalogQuery {
  readonly parameters: readonly (Uint8Array | null)[]
  readonly parameterFormats: readonly Format[]
  readonly resultFormats: readonly Format[]
  readonly maxRows: number
}

export interface CatalogDescription {
  readonly parameterOids: readonly number[]
  /** Empty when there are no result rows. `format` is 0. */
  readonly fields: readonly FieldDescription[]
}

export interface CatalogAnswer {
  readonly fields: readonly FieldDescription[]
  /** Cells in the requested formats. */
  readonly rows: readonly (readonly (Uint8Array | null)[])[]
  /** `SELECT 3` */
  readonly tag: string
  readonly truncated: boolean
}

/** What the answers depend on, besides the query. */
export interface CatalogScope {
  /** Key of the caller: callers are served in turn. */
  readonly callerKey?: string | undefined
  readonly visible: VisibleCatalog
  readonly user: string
  readonly database: string
  readonly processId: number
  /**
   * `TimeZone`, `DateStyle`, `search_path`, `application_name` ... as the session has set them, and those of
   * `sessionObjects`. What changes answers is obeyed, all others are only shown by `current_setting`.
   */
  readonly settings: ReadonlyMap<string, string>
}
