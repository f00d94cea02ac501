/** @module The reference server as a library: the code of `engine-server`, and what configuration files import. */
// With these, TypeScript knows the options that the adapters add to connections.
export type { CsvTableOptions } from '@engine/adapters-csv'
export type { SqliteOptions } from '@engine/adapters-sqlite'
export { defineAction, definePermission, definePermissions, GatewayError } from '@engine/core'
export {
  type ConfigFile,
  defineConfig,
  type ServerOptions,
  type TypedConfigFile,
} from './configuration/define-config.ts'
export { loadConfig } from './configuration/load-config.ts'
export type {
  Expectation,
  PermissionTest,
  PermissionTestFile,
  TestCaller,
  TestStatement,
} from './permission-tests/test-file.ts'
export { type RunningServer, type ServeOptions, serve } from './serve.ts'
