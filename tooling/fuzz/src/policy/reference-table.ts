/** @module The common parts of a table's views: its rows and cells for a caller. */
import type { Caller, Permission } from '@engine/core'
import type { WorldColumn, WorldTable } from '../world/world.ts'
import { columnsOf } from './grants.ts'

/** One table for one caller. */
export interface TableContext {
  readonly table: WorldTable
  readonly permissions: readonly Permission[]
  readonly where: (filter: unknown) => string
  readonly schema: string
  readonly caller: Caller
  readonly readable: readonly string[]
}

/** Rows of any permission, narrowed by every restriction. */
export function visible({ permissions, where }: TableContext): string {
  const rows = permissions.flatMap(({ select }) =>
    select === undefined ? [] : [where(select.where)],
  )
  return [anyOf(rows), ...restrictions({ permissions, where })].join(' and ')
}

export function restrictions({
  permissions,
  where,
}: Pick<TableContext, 'permissions' | 'where'>): readonly string[] {
  return permissions.flatMap(({ restrict }) => (restrict === undefined ? [] : [where(restrict)]))
}

export function cell(
  { permissions, where, table, readable }: TableContext,
  column: WorldColumn,
): string {
  if (!readable.includes(column.name)) return `null::${column.stored}`
  const granting = permissions.flatMap(({ select }) =>
    select !== undefined && columnsOf(select.columns, table).includes(column.name)
      ? [where(select.where)]
      : [],
  )
  return `case when ${anyOf(granting)} then b.${column.name} end`
}

export function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`
}
