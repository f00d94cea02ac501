/** @module Permissions with types: the compiler checks the names in them against a schema. */

import type {
  ColumnOf,
  ColumnShape,
  ConstantOf,
  SchemaShape,
  SourceOf,
  TableFilter,
} from '../filter/typed-filter.ts'
import type { Permission } from './permission.ts'

/** A `Permission` for one table of a schema. */
export interface TablePermission<
  Schema extends SchemaShape<Schema>,
  Table extends keyof Schema & string,
> extends Pick<Permission, 'roles' | 'name' | 'description'> {
  readonly table: Table
  /** AND-ed to every row condition of these roles on this table, after permissions are combined. */
  readonly restrict?: TableFilter<Schema, Table>
  readonly select?: Omit<NonNullable<Permission['select']>, 'columns' | 'where'> & {
    /** Omitted or `'*'`: all columns known at start. */
    readonly columns?: readonly ColumnOf<Schema, Table>[] | '*'
    /** Rows that can be read; omitted or `{}`: all. */
    readonly where?: TableFilter<Schema, Table>
  }
  readonly insert?: {
    readonly columns?: readonly ColumnOf<Schema, Table>[] | '*'
    /** Must be TRUE for the stored row, defaults and triggers included. */
    readonly check?: TableFilter<Schema, Table>
    /** Values that Engine sets; the client may not name these columns. Constants or `$user.<field>`. */
    readonly preset?: PresetOf<Schema[Table]['columns']>
  }
  readonly update?: {
    readonly columns?: readonly ColumnOf<Schema, Table>[] | '*'
    /** Rows that can be changed, as they are before the change. */
    readonly where?: TableFilter<Schema, Table>
    /** Must be TRUE for the row as stored afterwards; omitted: `where` again. */
    readonly check?: TableFilter<Schema, Table>
    readonly preset?: PresetOf<Schema[Table]['columns']>
  }
  readonly delete?: { readonly where?: TableFilter<Schema, Table> }
}

type PresetOf<Columns extends Readonly<Record<string, ColumnShape>>> = {
  readonly [Column in keyof Columns]?:
    | ConstantOf<Columns[Column]>
    | SourceOf<Columns[Column], never>
    | null
}

/** A permission for any table of a schema; without a schema, of any database. */
export type PermissionFor<Schema extends SchemaShape<Schema>> = [Schema] extends [never]
  ? Permission
  : {
      [Table in keyof Schema & string]: TablePermission<Schema, Table>
    }[keyof Schema & string]

/**
 * Types one permission; returns it as it is. `engine-codegen --format permissions` writes the schema.
 *
 * @example
 * definePermission<Schema>({ table: 'main.orders', roles: ['support'], select: { columns: ['id', 'status'] } })
 */
export function definePermission<Schema extends SchemaShape<Schema> = never>(
  permission: NoInfer<PermissionFor<Schema>>,
): Permission
export function definePermission(permission: Permission): Permission {
  return permission
}

/**
 * Types permissions by name, for `permissions` of a configuration; returns them as they are. With the schema that
 * `engine-codegen --format permissions` writes, a wrong table, column, relation or operator is an error in the editor.
 * Without one, every name is accepted here and checked when the engine starts.
 *
 * @example
 * definePermissions<Schema>({
 *   'own orders': {
 *     table: 'main.orders',
 *     roles: ['customer'],
 *     select: { columns: ['id', 'status'], where: { customer_id: '$user.customer_id', status: { $startsWith: 'p' } } },
 *   },
 * })
 */
export function definePermissions<Schema extends SchemaShape<Schema> = never>(
  permissions: Readonly<Record<string, NoInfer<PermissionFor<Schema>>>>,
): Readonly<Record<string, Permission>>
export function definePermissions(
  permissions: Readonly<Record<string, Permission>>,
): Readonly<Record<string, Permission>> {
  return permissions
}
