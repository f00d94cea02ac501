/** @module PostgreSQL behind the engine: dialect printer, driver, introspection, error mapping. */
export { connect, type PostgresOptions, postgresAdapter } from './postgres-adapter.ts'
export { serviceDatabase } from './service-database.ts'
