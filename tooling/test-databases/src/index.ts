/** @module Real database servers for tests, started privately. Start at `startPostgres` and `startMysql`. */
export { createDatabase, dropDatabases } from './create-database.ts'
export { type FetchedKind, type FetchedServer, fetchServers } from './fetch/fetch-server.ts'
export {
  type LibsqlOptions,
  type LibsqlServer,
  missingLibsql,
  startLibsql,
} from './libsql-server.ts'
export { createMysqlDatabase, dropMysqlDatabases } from './mysql/create-mysql-database.ts'
export { findMysql, type MysqlPrograms, type MysqlSource } from './mysql/find-mysql.ts'
export { mysqlDdl, mysqlNumbers } from './mysql/mysql-ddl.ts'
export {
  type MysqlOptions,
  type MysqlServer,
  startMysql,
  startMysqlFrom,
} from './mysql/mysql-server.ts'
export { type MysqlVendor, mysqlVendors, vendorOf } from './mysql/mysql-vendors.ts'
export { mysqlVersion, requireVendor } from './mysql/mysql-version.ts'
export { installPackage, installPackages } from './obtain/install-package.ts'
export { obtainServers } from './obtain/obtain-servers.ts'
export { findPostgres, type PostgresSource } from './postgres/find-postgres.ts'
export {
  missingPgbouncer,
  type PgbouncerOptions,
  type PgbouncerServer,
  startPgbouncer,
} from './postgres/pgbouncer-server.ts'
export {
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
  startPostgresFrom,
} from './postgres/postgres-server.ts'
export { freePort } from './processes/free-port.ts'
export type { PrivateServer } from './processes/private-server.ts'
export { missingRedis, type RedisServer, startRedis } from './redis/redis-server.ts'
