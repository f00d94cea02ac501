/** @module Answers queries about system catalogs, and statements without tables. It holds no data of users. */
import type { VisibleCatalog } from '@engine/core/server'
import type { Format } from '../protocol/frontend-message.ts'
import type { FieldDescription } from '../protocol/message-writer.ts'

export interface WireCatalog {
  /** Embedded PostgreSQL, or a built-in list. */
  readonly kind: 'pglite' | 'builtin'
  /** Version of the embedded PostgreSQL: clients get it as `server_version`, unless the configuration sets another. */
  readonly serverVersion: string
  /** @throws {GatewayError} with `sqlState` and `position`: PostgreSQL's error. */
  describe(query: CatalogQuery, scope: CatalogScope): Promise<CatalogDescription>
  /**
   * @throws {GatewayError} with `sqlState` and `position`: PostgreSQL's error; `queryTimeout` when it took too long or
   * was cancelled.
   */
  run(query: CatalogRun, scope: CatalogScope): Promise<CatalogAnswer>
  /** Returns the OIDs that the catalogs give to the caller's tables and types. */
  numbers(visible: VisibleCatalog): Promise<CatalogNumbers>
  close(): Promise<void>
}

export interface CatalogQuery {
  /** One statement that only reads. */
  readonly sql: string
  readonly parameterOids: readonly number[]
}

export interface CatalogRun extends CatalogQuery {
  readonly parameters: readonly (Uint8Array | null)[]
  readonly parameterFormats: readonly Format[]
  readonly resultFormats: readonly Format[]
  readonly maxRows: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
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

export interface CatalogNumbers {
  /**
   * OID of a table and number of one of its columns as the catalogs show them; undefined where the catalogs do not have
   * it.
   */
  columnNumber(
    connection: string,
    table: string,
    column: string,
  ): { readonly tableOid: number; readonly columnNumber: number } | undefined
  /** A connection's own type (enum, domain, extension type) as the catalogs number it; built-in ones stay. */
  typeOid(connection: string, oid: number): number
  /** The inverse, for types that clients declare: undefined for an OID of no type of the connection. */
  engineTypeOid(connection: string, oid: number): number | undefined
}
