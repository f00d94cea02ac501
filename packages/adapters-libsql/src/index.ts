/** @module Serves remote libSQL databases: Turso and sqld. Start at `libsqlAdapter`. */
export { connect, libsqlAdapter } from './adapter.ts'
export type { LibsqlOptions } from './options.ts'
export { serviceDatabase } from './service/service-database.ts'
