/** @module The options of a MariaDB or MySQL database. */
import type { ConfiguredTypes, Log, TableSelection } from '@engine/core/adapter'

/** Options of `mysqlAdapter`. */
export interface MysqlOptions {
  /** `mysql://user:password@host:3306/database?ssl-mode=verify_identity` */
  readonly url: string
  /** The most connections; 16 by default. */
  readonly pool?: { readonly max?: number | undefined } | undefined
  /** The database whose tables are shown; that of the URL by default. */
  readonly schema?: string | undefined
  readonly tables?: TableSelection | undefined
  /** `declared`: a CHAR(36) is a text. Default: it is a `uuid` if only UUIDs are stored in it. */
  readonly types?: 'declared' | 'inferred' | undefined
  /** `uuid` or `char(36)` for single columns of type CHAR(36), by table and column. */
  readonly columnTypes?: ConfiguredTypes | undefined
  /** Refuses every write, also on the server. */
  readonly readOnly?: boolean | undefined
  /** How long a request waits for a connection, in milliseconds; 10 000 by default. */
  readonly acquireTimeoutMs?: number | undefined
  readonly log?: Log | undefined
}
