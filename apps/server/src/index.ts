/** @module The reference server as a library: the code of `engine-server`, and what configuration files import. */
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
