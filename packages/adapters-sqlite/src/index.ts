/** @module SQLite: dialect printer, driver, introspection and error mapping. Start at `sqliteAdapter`. */

export { connect, sqliteAdapter } from './adapter.ts'
export type { Affinity, SqliteColumnNative } from './introspection/native-column.ts'
export type { SqliteOptions } from './options.ts'
export { serviceDatabase } from './service/service-database.ts'
