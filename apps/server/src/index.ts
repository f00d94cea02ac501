/** @module The reference server as a library: the code of `engine-server`. */
export { type ConfigFile, loadConfig } from './load-config.ts'
export type {
  Expectation,
  PermissionTest,
  PermissionTestFile,
  TestCaller,
  TestStatement,
} from './permission-tests/test-file.ts'
export { type RunningServer, type ServeOptions, serve } from './serve.ts'
