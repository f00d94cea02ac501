/** @module The form of a configuration file of the server. */
import type { Config, SchemaShape, TypedConfig } from '@engine/core'

/** The options of the server's process, beside those of the engine. */
export interface ServerOptions {
  /** 0 uses a free port. Default 3001. */
  readonly port?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Milliseconds after SIGTERM for which requests are still accepted, while `/health/ready` answers 503. Default 0. */
  readonly stopDelay?: number
  /** Processes on the same ports; `auto` is one for each processor. Default 1. */
  readonly workers?: number | 'auto'
}

/** The export of a configuration file: the engine's configuration and the address to listen on. */
export interface ConfigFile extends Config, ServerOptions {}

/** A `ConfigFile` whose permissions are checked against a schema. */
export interface TypedConfigFile<Schema extends SchemaShape<Schema> = never>
  extends TypedConfig<Schema>,
    ServerOptions {}

/**
 * Types a configuration file; returns the object as it is. With the schema that `engine-codegen --format permissions` writes, a
 * wrong table, column, relation or operator of a permission is an error in the editor.
 *
 * @example
 * // engine.config.ts
 * export default defineConfig({
 *   port: 3001,
 *   connections: { main: 'shop.db' },
 *   permissions: { products: { table: 'main.products', roles: ['anonymous'], select: { columns: ['id', 'name'] } } },
 * })
 */
export function defineConfig<Schema extends SchemaShape<Schema> = never>(
  config: TypedConfigFile<NoInfer<Schema>>,
): ConfigFile
export function defineConfig(config: ConfigFile): ConfigFile {
  return config
}
