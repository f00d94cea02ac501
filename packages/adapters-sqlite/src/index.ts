/** @module SQLite: dialect printer, driver, introspection and error mapping. Start at `sqliteAdapter`. */
export type { Affinity, SqliteColumnNative } from './native-column.ts'
export { serviceDatabase } from './service-database.ts'
export { connect, type SqliteOptions, sqliteAdapter } from './sqlite-adapter.ts'
