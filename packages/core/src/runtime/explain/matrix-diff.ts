/** @module The differences between two sets of permissions, by role. */
import { isDeepStrictEqual } from 'node:util'
import type { MatrixEntry, PermissionMatrix } from '@engine/contract/admin-api'
import type { Operation } from '../../compiler/catalog/operation.ts'

/** One role, table and operation that is granted differently; `undefined` = refused. */
export interface MatrixChange {
  readonly role: string
  readonly table: string
  readonly operation: Operation
  readonly before: MatrixEntry | undefined
  readonly after: MatrixEntry | undefined
}

/** By role, then table, then operation. Names and order of permissions do not matter. */
export function diffMatrices(
  before: PermissionMatrix,
  after: PermissionMatrix,
): readonly MatrixChange[] {
  const old = new Map(before.entries.map((entry) => [keyOf(entry), entry]))
  const fresh = new Map(after.entries.map((entry) => [keyOf(entry), entry]))
  const keys = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  return keys.flatMap((key) => {
    const [was, is] = [old.get(key), fresh.get(key)]
    const known = is ?? was
    if (known === undefined || isDeepStrictEqual(meaning(was), meaning(is))) return []
    const { role, table, operation } = known
    return [{ role, table, operation, before: was, after: is }]
  })
}

const order: readonly Operation[] = ['select', 'insert', 'update', 'delete']

function keyOf({ role, table, operation }: MatrixEntry): string {
  return JSON.stringify([role, table, order.indexOf(operation)])
}

function meaning(entry: MatrixEntry | undefined): unknown {
  if (entry === undefined) return undefined
  const grants = entry.grants.map(({ permission: _, columns, presets = {}, ...rest }) =>
    JSON.stringify([
      Array.isArray(columns) ? [...columns].sort() : columns,
      Object.entries(presets).sort(),
      rest.where,
      rest.check,
      rest.limit,
      rest.aggregate,
    ]),
  )
  return { grants: [...new Set(grants)].sort(), restrict: [...new Set(entry.restrict)].sort() }
}
