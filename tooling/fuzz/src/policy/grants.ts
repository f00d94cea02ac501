/**
 * @module Which permissions apply to a caller, and which of them cover a write: the part without conditions on rows.
 */
import type { Caller, Permission } from '@engine/core'
import type { WriteFacts } from '../grammar/write.ts'
import { ownColumns, type World, type WorldTable } from '../world/world.ts'
import { truthsOf } from './filter-truths.ts'
import type { Policy } from './random-policy.ts'

/** Permissions of a caller on a table, in the order of the policy. */
export function permissionsOf(
  policy: Policy,
  caller: Caller,
  table: string,
): readonly Permission[] {
  return Object.values(policy).filter(
    (permission) =>
      permission.table === `main.${table}` &&
      permission.roles.some((role) => role === '*' || caller.roles.includes(role)),
  )
}

/** Columns that a `columns` of a permission names. */
export function columnsOf(
  columns: readonly string[] | '*' | undefined,
  table: WorldTable,
): readonly string[] {
  return columns === undefined || columns === '*' ? table.columns.map(({ name }) => name) : columns
}

/** Columns of a table that a caller may read, in the table's order. */
export function readableColumns(
  policy: Policy,
  caller: Caller,
  table: WorldTable,
): readonly string[] {
  const granted = new Set(
    permissionsOf(policy, caller, table.name).flatMap(({ select }) =>
      select === undefined ? [] : columnsOf(select.columns, table),
    ),
  )
  return table.columns.map(({ name }) => name).filter((name) => granted.has(name))
}

/** Columns that at least one permission lets a caller write. */
export function writableColumns(
  policy: Policy,
  caller: Caller,
  table: WorldTable,
  operation: 'insert' | 'update',
): readonly string[] {
  return [...new Set(writableLists(policy, caller, table, operation).flat())]
}

/** The columns that each permission of a caller lets it write; empty: no permission allows a write. */
export function writableLists(
  policy: Policy,
  caller: Caller,
  table: WorldTable,
  operation: 'insert' | 'update',
): readonly (readonly string[])[] {
  return permissionsOf(policy, caller, table.name).flatMap((permission) => {
    const block = permission[operation]
    if (block === undefined) return []
    const own = ownColumns(table).map(({ name }) => name)
    const names = columnsOf(block.columns, table).filter((name) => own.includes(name))
    return [names.filter((name) => !Object.hasOwn(block.preset ?? {}, name))]
  })
}

/**
 * Readable columns that statements name: equal texts of a folded one differ, and the result contains any one of them.
 */
export function namedColumns(policy: Policy, caller: Caller, table: WorldTable): readonly string[] {
  return readableColumns(policy, caller, table).filter((name) =>
    table.columns.some((column) => column.name === name && column.foldedOn !== 'postgres'),
  )
}

/** A write whose columns are allowed, or that is not allowed at all. */
export type Coverage =
  | { readonly kind: 'denied' }
  | {
      readonly kind: 'covered'
      /** Positions in `permissionsOf`. */
      readonly by: readonly number[]
      readonly preset: Readonly<Record<string, unknown>>
    }

export function coverageOf(
  policy: Policy,
  caller: Caller,
  world: Pick<World, 'tables'>,
  facts: WriteFacts,
): Coverage {
  const table = world.tables.find(({ name }) => name === facts.table)
  const permissions = permissionsOf(policy, caller, facts.table)
  const canRead = permissions.some(({ select }) => select !== undefined)
  if (table === undefined || (!canRead && facts.operation !== 'insert')) return { kind: 'denied' }
  const canHold = (filter: unknown) => truthsOf(filter, caller.fields).has(true)
  // A permission that cannot match any row has no effect: rows that only it covers are skipped.
  const by = permissions.flatMap((permission, i) =>
    covers(permission, facts, table) &&
    (facts.operation !== 'update' ||
      (canHold(permission.update?.where) &&
        canHold(permission.update?.check ?? permission.update?.where)))
      ? [i]
      : [],
  )
  const isOpen = by.some((i) => {
    const permission = permissions[i]
    const { update } = permission ?? {}
    switch (facts.operation) {
      case 'insert':
        return canHold(permission?.insert?.check)
      case 'lock':
        return true
      case 'update':
        return canHold(update?.where) && canHold(update?.check ?? update?.where)
      default:
        return canHold(permission?.delete?.where)
    }
  })
  const isLock = facts.operation === 'lock'
  if (!isOpen || (!isLock && !permissions.every(({ restrict }) => canHold(restrict)))) {
    return { kind: 'denied' }
  }
  const { operation } = facts
  const presets =
    operation === 'delete' || operation === 'lock'
      ? []
      : by.map((i) => permissions[i]?.[operation]?.preset ?? {})
  const [preset = {}] = presets
  const agree = presets.every((other) => JSON.stringify(other) === JSON.stringify(preset))
  const isPresent = Object.values(preset).every(
    (value) =>
      typeof value !== 'string' ||
      !value.startsWith('$user.') ||
      Object.hasOwn(caller.fields, value.slice(6)),
  )
  return by.length === 0 || !agree || !isPresent
    ? { kind: 'denied' }
    : { kind: 'covered', by, preset }
}

function covers(
  permission: Permission,
  { operation, columns }: WriteFacts,
  table: WorldTable,
): boolean {
  if (operation === 'delete') return permission.delete !== undefined
  if (operation === 'lock') return permission.update !== undefined
  const block = permission[operation]
  if (block === undefined) return false
  const granted = columnsOf(block.columns, table)
  return columns.every((name) => granted.includes(name) && !Object.hasOwn(block.preset ?? {}, name))
}
