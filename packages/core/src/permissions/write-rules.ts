/** @module Which permissions cover a write: one of them must cover its columns, its old row and its new row. */
import type { InsertWrite, RelationId, WriteTarget } from '../bind/bound-query.ts'
import type { Expression } from '../bind/expression.ts'
import type { Table } from '../catalog/catalog.ts'
import type { GatewayError } from '../errors.ts'
import type { Access } from './access.ts'
import { denial } from './denial.ts'
import { filterExpression } from './filter-expression.ts'
import { type Presets, samePresets, type TablePermission } from './permission-set.ts'
import { allOf, always, anyOf, type PolicyFilter, whenTrue } from './policy-filter.ts'
import { restrictions } from './read-rules.ts'

/** What a write of some columns must satisfy. */
export interface WriteRules {
  /** On the old row: rows the write may touch. TRUE for an INSERT. */
  readonly rows: PolicyFilter
  /** Pairs of conditions, one of which must hold: on the old row and on the new one. */
  readonly covers: readonly { readonly old: PolicyFilter; readonly new: PolicyFilter }[]
  /** On every new row besides. */
  readonly restrict: PolicyFilter
  readonly presets: Presets
}

/**
 * The rules for an INSERT or UPDATE that sets `columns`.
 *
 * @throws {GatewayError} `PERMISSION_DENIED` when no permission covers the columns, or none can ever be TRUE.
 */
export function writeRules(
  access: Access,
  table: Table,
  operation: 'insert' | 'update',
  columns: readonly number[],
): WriteRules {
  const all = access.permissionsFor(table)
  const refuse = (reason: string): GatewayError =>
    denial({
      access,
      table: `${table.connection}.${table.name}`,
      operation,
      evaluated: all.map(({ name }) => name),
      reason,
    })
  if (!all.some((permission) => permission[operation] !== undefined)) {
    throw refuse(`no permission grants ${operation} on it`)
  }
  const candidates = all.filter((permission) => covers(permission, operation, columns))
  if (candidates.length === 0) {
    const names = columns.map((column) => `"${table.columns[column]?.name}"`).join(', ')
    throw refuse(`no single permission covers the columns ${names}`)
  }
  const presets = candidates[0]?.[operation]?.presets ?? new Map()
  if (
    candidates.some(
      (permission) => !samePresets(permission[operation]?.presets ?? new Map(), presets),
    )
  ) {
    throw refuse('several permissions apply and preset different values')
  }
  for (const [column, { value }] of presets) {
    if (!value.slots.every(access.isPresent)) {
      throw refuse(`the caller lacks the field that presets "${table.columns[column]?.name}"`)
    }
  }
  const pairs = candidates
    .map((permission) => conditionsOf(permission, operation))
    .filter((pair) => pair.old.kind !== 'false' && pair.new.kind !== 'false')
  const restrict = allOf(restrictions(access, table))
  if (pairs.length === 0 || whenTrue(restrict).kind === 'false') {
    throw refuse('its conditions cannot be met by this caller')
  }
  return { rows: whenTrue(anyOf(pairs.map((pair) => pair.old))), covers: pairs, restrict, presets }
}

function covers(
  permission: TablePermission,
  operation: 'insert' | 'update',
  columns: readonly number[],
): boolean {
  const block = permission[operation]
  return (
    block !== undefined &&
    columns.every((column) => block.columns.has(column) && !block.presets.has(column))
  )
}

function conditionsOf(
  permission: TablePermission,
  operation: 'insert' | 'update',
): { readonly old: PolicyFilter; readonly new: PolicyFilter } {
  if (operation === 'insert') {
    return { old: always, new: whenTrue(permission.insert?.check ?? always) }
  }
  const where = permission.update?.where ?? always
  return { old: whenTrue(where), new: whenTrue(permission.update?.check ?? where) }
}

/**
 * The rows a DELETE may touch.
 *
 * @throws {GatewayError} `PERMISSION_DENIED` when no permission grants it.
 */
export function deleteRows(access: Access, table: Table): PolicyFilter {
  const all = access.permissionsFor(table)
  const granting = all.flatMap((permission) => (permission.delete ? [permission.delete] : []))
  const rows = whenTrue(anyOf(granting.map(({ where }) => where)))
  const reachable = whenTrue(allOf([rows, ...restrictions(access, table)]))
  if (granting.length > 0 && reachable.kind !== 'false') return rows
  throw denial({
    access,
    table: `${table.connection}.${table.name}`,
    operation: 'delete',
    evaluated: all.map(({ name }) => name),
    reason:
      granting.length === 0
        ? 'no permission grants delete on it'
        : 'its conditions cannot be met by this caller',
  })
}

/** The check on stored rows and the conditions on old rows it refers to. */
export interface CheckExpression {
  readonly check: Expression | undefined
  readonly oldConditions: readonly Expression[]
}

/**
 * Puts `OR (old AND new)` into an expression on the new row. Conditions on the old row are only needed where several
 * permissions with different rows could cover the write; with one, the rows are already narrowed to it.
 */
export function checkExpression(
  rules: WriteRules,
  target: WriteTarget,
  oldBase: RelationId,
  nextId: () => number,
): CheckExpression {
  const oldConditions: Expression[] = []
  const onNew = (filter: PolicyFilter) => filterExpression(filter, target.newRow, nextId)
  const boolean = { oid: 16, typmod: -1 }
  const pairs = rules.covers.map((pair): Expression => {
    if (rules.covers.length === 1 || pair.old.kind === 'true') return onNew(pair.new)
    const index = oldConditions.length
    oldConditions.push(filterExpression(pair.old, oldBase, nextId))
    const old: Expression = { kind: 'oldCondition', index, type: boolean }
    return pair.new.kind === 'true'
      ? old
      : { kind: 'logical', operator: 'and', operands: [old, onNew(pair.new)], type: boolean }
  })
  const covered = rules.covers.some(
    (pair) => pair.new.kind === 'true' && (rules.covers.length === 1 || pair.old.kind === 'true'),
  )
  // Every old row meets one of the pairs, so a pair whose new side is always TRUE only counts when its old side is.
  const parts: Expression[] = []
  if (!covered) {
    const [first, ...others] = pairs
    if (first !== undefined) {
      parts.push(
        others.length === 0
          ? first
          : { kind: 'logical', operator: 'or', operands: pairs, type: boolean },
      )
    }
  }
  if (rules.restrict.kind !== 'true') parts.push(onNew(rules.restrict))
  const [only, ...more] = parts
  if (only === undefined) return { check: undefined, oldConditions: [] }
  const check: Expression =
    more.length === 0 ? only : { kind: 'logical', operator: 'and', operands: parts, type: boolean }
  return { check, oldConditions: covered ? [] : oldConditions }
}

/** Ordinals that an INSERT really sets: a column whose every cell is DEFAULT is as good as left out. */
export function insertedColumns(write: InsertWrite): readonly number[] {
  const { source } = write
  switch (source.kind) {
    case 'defaults':
      return []
    case 'query':
      return write.columns
    case 'values':
      return write.columns.filter((_, i) => source.rows.some((row) => row[i]?.kind !== 'default'))
  }
}
