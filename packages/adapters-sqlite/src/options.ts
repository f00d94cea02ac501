/** @module The options of a SQLite database. */

import type { ConnectionObject } from '@engine/core'
import type { AdapterOptions, ConfiguredTypes, Log } from '@engine/core/adapter'
import { z } from 'zod'

/** Options of `sqliteAdapter`. */
export interface SqliteOptions {
  /** A path, `:memory:`, or a `file:` URL such as `file:shop.db?mode=ro`. */
  readonly url: string
  /** For messages and logs. */
  readonly name?: string
  /** Refuses writes. Default: according to the URL. */
  readonly readOnly?: boolean
  /** Create the file when it does not exist. Default: according to the URL. */
  readonly create?: boolean
  /** SQL that fills a database which is empty when it is opened. It runs unchanged: never take it from a client. */
  readonly setup?: string
  /** `max`: threads that read at the same time. Default: the number of cores, 4 at most. One more thread writes. */
  readonly pool?: { readonly max?: number | undefined }
  /** Names of tables and views that are shown; all by default. */
  readonly tables?: {
    readonly include?: readonly string[] | undefined
    readonly exclude?: readonly string[]
  }
  /** `declared`: an integer column has its declared width. Default: the width of the stored values. */
  readonly types?: 'declared' | 'inferred'
  /** `smallint`, `integer` or `bigint` for single integer columns, by table and column. */
  readonly columnTypes?: ConfiguredTypes
  /** How long to wait for a lock that another process holds, in milliseconds; default 5 000. */
  readonly lockTimeoutMs?: number
  /** `normal`: commits do not wait for the disk, and the last ones may be missing after a power failure. Default: `full`. */
  readonly synchronous?: 'full' | 'normal' | undefined
  readonly log?: Log
}

declare module '@engine/core' {
  interface ConnectionObject {
    /** Create the database file when it does not exist. Default false. SQLite only. */
    readonly create?: boolean
    /**
     * What an acknowledged write of SQLite survives. `full` (default): a killed process and a power failure; each commit waits for the
     * disk. `normal`: a killed process; the last commits may be missing after a power failure. SQLite only.
     */
    readonly synchronous?: 'full' | 'normal'
  }
}

/** The options of a connection that only SQLite has. */
export const ownOptions: AdapterOptions<
  Required<Pick<ConnectionObject, 'create' | 'synchronous'>>
> = z.strictObject({
  create: z.boolean().default(false),
  synchronous: z.enum(['full', 'normal']).default('full'),
})
