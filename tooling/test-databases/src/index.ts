/** @module Real database servers for tests, started privately. Start at `startPostgres` and `startMysql`. */
export { createDatabase, dropDatabases } from './create-database.ts'
export { createMysqlDatabase, dropMysqlDatabases } from './create-mysql-database.ts'
export { type FetchedKind, type FetchedServer, fetchServers } from './fetch/fetch-server.ts'
export { findMysql, type MysqlPrograms, type MysqlSource } from './find-mysql.ts'
export { findPostgres, type PostgresSource } from './find-postgres.ts'
export { freePort } from './free-port.ts'
export { installPackage, installPackages } from './install-package.ts'
export {
  type LibsqlOptions,
  type LibsqlServer,
  missingLibsql,
  startLibsql,
} from './libsql-server.ts'
export { mysqlDdl, mysqlNumbers } from './mysql-ddl.ts'
export { type MysqlOptions, type MysqlServer, startMysql, startMysqlFrom } from './mysql-server.ts'
export { type MysqlVendor, mysqlVendors, vendorOf } from './mysql-vendors.ts'
export { mysqlVersion, requireVendor } from './mysql-version.ts'
export { obtainServers } from './obtain-servers.ts'
export {
  missingPgbouncer,
  type PgbouncerOptions,
  type PgbouncerServer,
  startPgbouncer,
} from './pgbouncer-server.ts'
export {
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
  startPostgresFrom,
} from './postgres-server.ts'
export type { PrivateServer } from './private-server.ts'
export { missingRedis, type RedisServer, startRedis } from './redis-server.ts'
