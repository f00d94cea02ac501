/** @module MariaDB and MySQL for the engine: dialect printer, driver, introspection, error mapping. */
export { connect, type MysqlOptions, mysqlAdapter } from './mysql-adapter.ts'
export { serviceDatabase } from './service-database.ts'
