/** @module The permissions that cover a write: a single one must cover its columns, its old row and its new row. */

import type { GatewayError } from '../../../foundation/errors.ts'
import type { InsertWrite, RelationId, WriteTarget } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { Table } from '../../catalog/catalog.ts'
import { oids } from '../../sql-types/oids.ts'
import type { Access } from '../access/access.ts'
import { denial } from '../access/denial.ts'
import { always, anyOf, canBe, type Formula, whenTrue } from '../combination/kleene.ts'
import { permittedRows } from '../combination/reads.ts'
import {
  allows,
  type Preset,
  type WriteCover,
  type WriteGrant,
  type WriteRefusal,
  writeCover,
} from '../combination/writes.ts'
import { filterExpression, formulaExpression } from '../filter/filter-expression.ts'
import type { PolicyLeaf, PolicyRelation } from '../filter/policy-filter.ts'
import type { Operand } from '../filter/policy-operand.ts'
import type { TablePermission } from '../permission/permission-set.ts'
import { restrictions } from './read-rules.ts'

type Condition = PolicyLeaf | PolicyRelation
type PresetValue = Preset & { readonly value: Operand }

export type WriteRules = WriteCover<Condition, PresetValue>

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
  const grants = access
    .permissionsFor(table)
    .flatMap((permission) => writeGrants(permission, operation, access))
  const cover =
    grants.length === 0 ? undefined : writeCover(grants, restrictions(access, table), columns)
  if (cover !== undefined && !('refused' in cover)) return cover
  const nameOf = (column: number) => `"${table.columns[column]?.name}"`
  const missing = grants
    .flatMap((grant) => [...grant.presets])
    .flatMap(([column, { isPresent }]) => (isPresent ? [] : [nameOf(column)]))
  const reasons: Readonly<Record<WriteRefusal, string>> = {
    columns: uncovered(grants, [...new Set(columns)], nameOf),
    presets: 'several permissions apply and preset different values',
    missingPreset: `the caller has no value in the field that fills ${missing[0]}`,
    conditions: 'its conditions cannot be met by this caller',
  }
  throw refusal(access, table, operation, cover && reasons[cover.refused])
}

/** Names the columns that are in the way: those that no permission covers, otherwise all. */
function uncovered(
  grants: readonly WriteGrant<Condition, PresetValue>[],
  columns: readonly number[],
  nameOf: (column: number) => string,
): string {
  const namesOf = (those: readonly number[]) =>
    `the column${those.length === 1 ? '' : 's'} ${those.map(nameOf).join(', ')}`
  const covered = columns.filter((column) => grants.some((grant) => allows(grant, column)))
  const others = columns.filter((column) => !covered.includes(column))
  if (others.length === 0) return `no single permission covers ${namesOf(columns)}`
  return `no permission covers ${namesOf(others)}`
}

function refusal(
  access: Access,
  table: Table,
  operation: 'insert' | 'update' | 'delete',
  reason = `no permission grants ${operation} on it`,
): GatewayError {
  return denial({
    access,
    table: `${table.connection}.${table.name}`,
    operation,
    evaluated: access.permissionsFor(table).map(({ name }) => name),
    reason,
  })
}

/** A permission without a `check` puts the condition on the old row on an update's new row, too. */
function writeGrants(
  { insert, update }: TablePermission,
  operation: 'insert' | 'update',
  access: Access,
): readonly WriteGrant<Condition, PresetValue>[] {
  const presets = (
    block: NonNullable<TablePermission['insert']>,
  ): ReadonlyMap<number, PresetValue> =>
    new Map(
      [...block.presets].map(([column, preset]) => [
        column,
        { ...preset, isPresent: preset.value.slots.every(access.isPresent) },
      ]),
    )
  if (operation === 'insert') {
    if (insert === undefined) return []
    const { columns, check = always } = insert
    return [{ columns, presets: presets(insert), old: always, new: check }]
  }
  if (update === undefined) return []
  const { columns, where, check = where } = update
  return [{ columns, presets: presets(update), old: where, new: check }]
}

/**
 * The rows a DELETE may touch.
 *
 * @throws {GatewayError} `PERMISSION_DENIED` when no permission grants it.
 */
export function deleteRows(access: Access, table: Table): Formula<Condition> {
  const granting = access
    .permissionsFor(table)
    .flatMap((permission) => (permission.delete ? [permission.delete] : []))
  if (granting.length === 0) throw refusal(access, table, 'delete')
  if (!canBe(permittedRows(granting, restrictions(access, table)), true)) {
    throw refusal(access, table, 'delete', 'its conditions cannot be met by this caller')
  }
  return whenTrue(anyOf(granting.map(({ where }) => where)))
}

/** The check on stored rows and the conditions on old rows it refers to. */
export interface CheckExpression {
  readonly check: Expression | undefined
  readonly oldConditions: readonly Expression[]
}

/** The check of a write as an expression on the new row, with its conditions on the old row kept apart. */
export function checkExpression(
  rules: WriteRules,
  target: WriteTarget,
  oldBase: RelationId,
  nextId: () => number,
): CheckExpression {
  const oldConditions: Expression[] = []
  if (rules.check.kind === 'true') return { check: undefined, oldConditions }
  const check = formulaExpression(rules.check, ({ side, condition }): Expression => {
    if (side === 'new') return filterExpression(condition, target.newRow, nextId)
    const index = oldConditions.length
    oldConditions.push(filterExpression(condition, oldBase, nextId))
    return { kind: 'oldCondition', index, type: { oid: oids.bool, typmod: -1 } }
  })
  return { check, oldConditions }
}

/** Ordinals that an INSERT really sets: a column that is DEFAULT in every row counts as omitted. */
export function insertedColumns(write: InsertWrite): readonly number[] {
  const { source } = write
  switch (source.kind) {
    case 'defaults':
      return []
    case 'query':
      return write.columns
    case 'values':
      return write.columns.filter((_, i) => source.rows.some((row) => row[i]?.kind !== 'default'))
    case 'repeated':
      return write.columns.filter((_, i) => source.shapes.some((row) => row[i]?.kind !== 'default'))
  }
}
