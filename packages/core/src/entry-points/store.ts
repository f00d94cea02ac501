/** @module For servers: the service database and the tables in it. */

// The service database.

export { columnTypes } from '../service/store/column-types.ts'
export { createIndex } from '../service/store/create-index.ts'
export { loadServiceDatabase } from '../service/store/load-service-database.ts'
export { type OpenStoreOptions, openStore } from '../service/store/open-store.ts'
export { type ServerFacts, serverFacts } from '../service/store/server-facts.ts'
export type {
  ServiceConnection,
  ServiceDatabase,
  ServiceDatabaseFactory,
} from '../service/store/service-database.ts'
export type { CountedTable, Migration, Store, StoreKind } from '../service/store/store.ts'
export { isUniqueViolation } from '../service/store/store-error.ts'

// Tables of its parts.

export { auditMigrations } from '../service/audit/audit-migrations.ts'
export { configurationMigrations } from '../service/configuration/configuration-tables.ts'
export { rateLimitMigrations } from '../service/limits/store-rate-limiter.ts'
export { changeCounterMigrations } from '../service/store/change-counter.ts'
export { installedTriggersSql } from '../service/store/change-triggers.ts'

// Counts of requests that nodes share.

export {
  createStoreRateLimiter,
  type StoreRateLimiter,
  type StoreRateLimiterOptions,
} from '../service/limits/store-rate-limiter.ts'
