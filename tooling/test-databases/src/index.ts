/** @module Real database servers for tests, started privately. Start at `startPostgres`. */
export { createDatabase, dropDatabases } from './create-database.ts'
export { findPostgres, type PostgresSource } from './find-postgres.ts'
export {
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
  startPostgresFrom,
} from './postgres-server.ts'
