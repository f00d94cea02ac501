/** @module Serves remote libSQL databases: Turso and sqld. Start at `libsqlAdapter`. */
export { connect, type LibsqlOptions, libsqlAdapter } from './libsql-adapter.ts'
export { serviceDatabase } from './service-database.ts'
