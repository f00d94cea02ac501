/** @module MariaDB and MySQL for the engine: dialect printer, driver, introspection, error mapping. */
export { connect, mysqlAdapter } from './adapter.ts'
export type { MysqlOptions } from './options.ts'
export { serviceDatabase } from './service/service-database.ts'
