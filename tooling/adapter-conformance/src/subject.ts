import type { Config, DatabaseKind } from '@engine/core'
import type { AdapterFactory, AdapterPackage } from '@engine/core/adapter'

/** A database with the shop of `@engine/fixtures`, and the adapter that opens it. */
export interface ConformanceSubject {
  /** Value of `connections.main`. */
  readonly connection: Config['connections'][string]
  /** The name under which the engine looks up the adapter package. */
  readonly adapterPackage: string
  /** The factory behind a URL scheme that is built in; else the package, with the schemes that it registers. */
  readonly connect: AdapterFactory | AdapterPackage
  readonly kind: DatabaseKind
  /** Restores the rows of the shop. */
  readonly reset: () => Promise<void>
  /** Ends every connection of the adapter, where the database is another process. */
  readonly cut?: (() => Promise<void>) | undefined
  /** Removes the database. */
  readonly remove: () => Promise<void>
}
