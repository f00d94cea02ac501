/** @module MariaDB and MySQL behind the engine: dialect printer, driver, introspection, error mapping. */
export { connect, type MysqlOptions, mysqlAdapter } from './mysql-adapter.ts'
export { serviceDatabase } from './service-database.ts'
