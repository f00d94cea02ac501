/** @module The options of a PostgreSQL database. */
import type { Log, TableSelection } from '@engine/core/adapter'

/** Options of `postgresAdapter`. */
export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database?sslmode=verify-full` */
  readonly url: string
  /** Maximum connections; 16 by default. */
  readonly pool?: { readonly max?: number | undefined } | undefined
  /** Schema whose tables are served; `public` by default. */
  readonly schema?: string | undefined
  /** Several schemas instead: tables of the first one have plain names, those of the others the names `schema.table`. */
  readonly schemas?: readonly string[] | undefined
  readonly tables?: TableSelection | undefined
  /** Refuses every write, also on the server. */
  readonly readOnly?: boolean | undefined
  /** How long a request waits for a connection, in milliseconds; 10 000 by default. */
  readonly acquireTimeoutMs?: number | undefined
  readonly log?: Log | undefined
}
