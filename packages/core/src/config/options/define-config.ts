/** @module The form of a configuration file, for servers and for applications that embed an engine. */
import type { SchemaShape } from '../../compiler/permissions/filter/typed-filter.ts'
import type { PermissionFor } from '../../compiler/permissions/permission/define-permissions.ts'
import type { Config } from './config.ts'

/** A `Config` whose permissions are checked against a schema; without a schema, the names in them are checked at start. */
export interface TypedConfig<Schema extends SchemaShape<Schema> = never>
  extends Omit<Config, 'permissions'> {
  /** By permission name. Without any, open mode allows everything. */
  readonly permissions?:
    | Readonly<Record<string, PermissionFor<Schema>>>
    | readonly PermissionFor<Schema>[]
}

/**
 * Types a configuration; returns it as it is. With the schema that `engine-codegen --format permissions` writes, a wrong table,
 * column, relation or operator of a permission is an error in the editor.
 *
 * @example
 * // engine.config.ts
 * export default defineConfig({
 *   connections: { main: 'shop.db' },
 *   permissions: { products: { table: 'main.products', roles: ['anonymous'], select: { columns: ['id', 'name'] } } },
 * })
 */
export function defineConfig<Schema extends SchemaShape<Schema> = never>(
  config: TypedConfig<NoInfer<Schema>>,
): Config
export function defineConfig(config: Config): Config {
  return config
}
