/** @module PostgreSQL behind the engine: dialect printer, driver, introspection, error mapping. */
export type { TableSelection } from './introspect/introspect.ts'
export { connect, type PostgresOptions, postgresAdapter } from './postgres-adapter.ts'
