/** @module Evaluates every permission on a table separately: would it admit this use for this caller, and if not, why? */

import type { PermissionBlock, PermissionVerdict } from '@engine/contract/admin-api'
import type { Expression } from '../../compiler/bind/tree/expression.ts'
import type { Table } from '../../compiler/catalog/catalog.ts'
import type { Access } from '../../compiler/permissions/access/access.ts'
import { readRules } from '../../compiler/permissions/authorize/read-rules.ts'
import { deleteRows, writeRules } from '../../compiler/permissions/authorize/write-rules.ts'
import { canBe } from '../../compiler/permissions/combination/kleene.ts'
import { applies } from '../../compiler/permissions/combination/roles.ts'
import { filterExpression } from '../../compiler/permissions/filter/filter-expression.ts'
import { type PolicyFilter, slotsOf } from '../../compiler/permissions/filter/policy-filter.ts'
import {
  filtersOf,
  type TablePermission,
} from '../../compiler/permissions/permission/permission-set.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import type { CallerSlot } from '../../compiler/sql-types/value-source.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { describeExpression } from './describe-expression.ts'
import type { TableUse } from './table-uses.ts'

/** The caller, and every permission of the table: `all` includes those of other roles. */
export interface VerdictContext {
  readonly access: Access
  readonly all: readonly TablePermission[]
  /** `*` in `roles` matches authenticated callers. */
  readonly isAuthenticated: boolean
}

/** The permissions on a table that apply to the caller, before its fields are known. */
export function appliedPermissions(context: VerdictContext): readonly TablePermission[] {
  const { all, access, isAuthenticated } = context
  return all.filter(({ roles }) => applies(roles, access.roles, isAuthenticated))
}

export function permissionVerdicts(
  use: TableUse,
  context: VerdictContext,
): readonly PermissionVerdict[] {
  const { access, all } = context
  const applied = appliedPermissions(context)
  const folded = access.permissionsFor(use.table)
  return all.map((permission) => {
    const { name, roles } = permission
    const own = folded[applied.indexOf(permission)]
    if (own === undefined) {
      return { name, roles, verdict: 'otherRoles', reason: `it is for ${roles.join(', ')}` }
    }
    const refusal = refusalOf(use, access, own)
    const { types } = access.connection
    const { restrict } = own
    return {
      name,
      roles,
      verdict: refusal === undefined ? 'grants' : 'refuses',
      reason: emptiness(use, access, permission, own) ?? refusal,
      ...blockPart(blockOf(use, own, types)),
      ...(restrict && { restrict: conditionText(restrict, use.table, types) }),
    }
  })
}

function blockPart(block: PermissionBlock | undefined): { readonly block?: PermissionBlock } {
  return block === undefined ? {} : { block }
}

/** Is the use as a whole admitted? Undefined: yes; else the reason why not. */
export function refusalOf(
  use: TableUse,
  access: Access,
  only?: TablePermission,
): string | undefined {
  const asked = only === undefined ? access : { ...access, permissionsFor: () => [only] }
  try {
    admit(use, asked)
    return undefined
  } catch (error) {
    if (error instanceof GatewayError && error.problem === 'permissionDenied') {
      return error.reason ?? error.message
    }
    throw error
  }
}

/** The rules that authorization itself uses. @throws {GatewayError} `permissionDenied`. */
function admit({ table, operation, columns, isLock }: TableUse, access: Access): void {
  if (isLock) requireUpdate(access, table)
  else if (operation === 'select') readRules(access, table)
  else if (operation === 'delete') deleteRows(access, table)
  else writeRules(access, table, operation, columns)
}

function requireUpdate(access: Access, table: Table): void {
  const grants = access.permissionsFor(table).some(({ update }) => update !== undefined)
  if (grants) return
  throw new GatewayError('permissionDenied', 'locking its rows needs the right to update them')
}

/** A permission that applies to the caller, but admits no row. */
function emptiness(
  { operation }: TableUse,
  access: Access,
  permission: TablePermission,
  folded: TablePermission,
): string | undefined {
  const filters = filtersOf(folded, operation)
  const restrict = folded.restrict === undefined ? [] : [folded.restrict]
  const hopeless = [...filters, ...restrict].some(
    (filter) => filter !== undefined && !canBe(filter, true),
  )
  if (!hopeless) return undefined
  const asked = [...filtersOf(permission, operation), permission.restrict]
  const missing = asked.flatMap((filter) => (filter ? missingFields(filter, access) : []))
  return missing.length === 0
    ? 'no row can match its condition'
    : `no row can match its condition: the caller lacks ${[...new Set(missing)].join(', ')}, or the type is wrong`
}

function missingFields(filter: PolicyFilter, access: Access): readonly string[] {
  return slotsOf(filter)
    .filter((slot) => !access.isPresent(slot))
    .map(fieldName)
}

/** `$user.tenant.id` */
export function fieldName({ path }: CallerSlot): string {
  return `$user.${path.join('.')}`
}

function blockOf(
  { table, operation }: TableUse,
  { select, insert, update, delete: remove }: TablePermission,
  types: TypeSystem,
): PermissionBlock | undefined {
  const where = (filter: PolicyFilter) => conditionText(filter, table, types)
  const write = (block: NonNullable<TablePermission['insert']>) => ({
    columns: columnNames(table, block.columns),
    ...(block.check && { check: where(block.check) }),
    ...(block.presets.size > 0 && { presets: presetTexts(table, block.presets, types) }),
  })
  switch (operation) {
    case 'select':
      return (
        select && {
          columns: columnNames(table, select.columns),
          where: where(select.where),
          ...(select.limit === undefined ? {} : { limit: select.limit }),
          ...(select.aggregate ? {} : { aggregate: false }),
        }
      )
    case 'insert':
      return insert && write(insert)
    case 'update':
      return update && { ...write(update), where: where(update.where) }
    case 'delete':
      return remove && { where: where(remove.where) }
  }
}

/** In catalog order. */
export function columnNames(table: Table, ordinals: Iterable<number>): readonly string[] {
  const chosen = new Set(ordinals)
  return table.columns.filter(({ ordinal }) => chosen.has(ordinal)).map(({ name }) => name)
}

/** The relation of the row that a condition of a permission tests. */
const row = 0

/** A condition as text: `true`, `false`, `unknown`, or the condition itself. */
export function conditionText(filter: PolicyFilter, table: Table, types: TypeSystem): string {
  let id = row
  const nextId = () => {
    id += 1
    return id
  }
  return rowText(filterExpression(filter, row, nextId), table, types)
}

function rowText(expression: Expression, table: Table, types: TypeSystem): string {
  return describeExpression(expression, { types, rows: new Map([[row, table]]) })
}

/** Column → value. */
export function presetTexts(
  table: Table,
  presets: ReadonlyMap<
    number,
    { readonly value: { build(row: number, outer: undefined): Expression } }
  >,
  types: TypeSystem,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...presets].map(([column, { value }]) => [
      table.columns[column]?.name ?? '',
      rowText(value.build(row, undefined), table, types),
    ]),
  )
}
