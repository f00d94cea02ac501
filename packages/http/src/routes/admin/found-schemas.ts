/** @module The schemas of a database that a connection may show. */

import type { FoundSchema } from '@engine/contract/admin-api'

/**
 * Finds the schemas that have tables, `public` first.
 *
 * @param url of a database as a connection names it.
 * @returns nothing for databases without schemas.
 * @throws {GatewayError} `unavailable` with the reason.
 */
export type FindSchemas = (url: string) => Promise<readonly FoundSchema[]>
