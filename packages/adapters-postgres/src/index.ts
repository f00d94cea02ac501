/** @module Serves PostgreSQL databases: dialect printer, driver, introspection, error mapping. */
export { connect, postgresAdapter } from './adapter.ts'
export type { PostgresOptions } from './options.ts'
export { serviceDatabase } from './service/service-database.ts'
