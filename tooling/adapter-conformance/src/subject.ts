import type { AdapterFactory, Config, ConnectionKind } from '@engine/core'

/** A database that holds the shop of `@engine/fixtures`, and the adapter that opens it. */
export interface ConformanceSubject {
  /** What `connections.main` is set to. */
  readonly connection: Config['connections'][string]
  /** The name under which the engine looks for the adapter package. */
  readonly adapterPackage: string
  readonly connect: AdapterFactory
  readonly kind: ConnectionKind
  /** Puts the rows of the shop back. */
  reset(): Promise<void>
  /** Removes the database. */
  remove(): Promise<void>
}
