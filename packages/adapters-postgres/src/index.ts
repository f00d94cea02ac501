/** @module Serves PostgreSQL databases: dialect printer, driver, introspection, error mapping. */
export { connect, type PostgresOptions, postgresAdapter } from './postgres-adapter.ts'
export { serviceDatabase } from './service-database.ts'
