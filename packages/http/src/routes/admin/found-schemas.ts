/** @module The schemas of a database that a connection may show. */

/** A schema of a PostgreSQL database that has tables. */
export interface FoundSchema {
  readonly name: string
  /** Tables and views that may be read. */
  readonly tables: number
}

/**
 * Finds the schemas that have tables, `public` first.
 *
 * @param url of a database as a connection names it.
 * @returns nothing for databases without schemas.
 * @throws {GatewayError} `unavailable` with the reason.
 */
export type FindSchemas = (url: string) => Promise<readonly FoundSchema[]>
