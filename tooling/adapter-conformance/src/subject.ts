import type { Config, DatabaseKind } from '@engine/core'
import type { AdapterFactory, AdapterPackage } from '@engine/core/adapter'

/** A database that holds the shop of `@engine/fixtures`, and the adapter that opens it. */
export interface ConformanceSubject {
  /** What `connections.main` is set to. */
  readonly connection: Config['connections'][string]
  /** The name under which the engine looks for the adapter package. */
  readonly adapterPackage: string
  /** The factory behind a URL scheme that is built in; else the package, with the schemes that it registers. */
  readonly connect: AdapterFactory | AdapterPackage
  readonly kind: DatabaseKind
  /** Puts the rows of the shop back. */
  readonly reset: () => Promise<void>
  /** Ends every connection of the adapter, where the database is another process. */
  readonly cut?: (() => Promise<void>) | undefined
  /** Removes the database. */
  readonly remove: () => Promise<void>
}
