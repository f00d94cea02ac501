/** @module The virtual table: the rows and cells of a table that a role set sees. */
import type { RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { Access } from '../access/access.ts'
import { denial } from '../access/denial.ts'
import { allOf, always, whenTrue } from '../combination/kleene.ts'
import { type VirtualTable, virtualTable } from '../combination/reads.ts'
import { filterExpression, unrestrictedTable } from '../filter/filter-expression.ts'
import type { PolicyFilter, PolicyLeaf, PolicyRelation } from '../filter/policy-filter.ts'
import type { TablePermission } from '../permission/permission-set.ts'

export type ReadRules = VirtualTable<PolicyLeaf | PolicyRelation>

type SelectPermission = TablePermission & {
  readonly select: NonNullable<TablePermission['select']>
}

/** Permissions of the role set on a table that grant `select`. */
export function selectPermissions(access: Access, table: Table): readonly SelectPermission[] {
  return access
    .permissionsFor(table)
    .filter((permission): permission is SelectPermission => permission.select !== undefined)
}

/** The restrictions of these roles on the table: they narrow every operation, whichever permission grants it. */
export function restrictions(access: Access, table: Table): readonly PolicyFilter[] {
  return access
    .permissionsFor(table)
    .flatMap(({ restrict }) => (restrict === undefined ? [] : [restrict]))
}

/**
 * Combines the `select` permissions on a table.
 *
 * @throws {GatewayError} `PERMISSION_DENIED` when there is none.
 */
export function readRules(access: Access, table: Table): ReadRules {
  const all = access.permissionsFor(table)
  const granting = selectPermissions(access, table)
  if (granting.length === 0) {
    throw denial({
      access,
      table: `${table.connection}.${table.name}`,
      operation: 'select',
      evaluated: all.map(({ name }) => name),
      reason: 'no permission grants select on it',
    })
  }
  return virtualTable(
    granting.map(({ select }) => select),
    restrictions(access, table),
  )
}

/**
 * The table as the role set sees it, for one use in a statement.
 *
 * @param extra narrows the rows further (an UPDATE's own `where`, a lock's).
 */
export function securedTable(
  access: Access,
  table: Table,
  id: RelationId,
  nextId: () => number,
  extra: PolicyFilter = always,
): SecuredTable {
  if (access.isFull) return unrestrictedTable(table, nextId, id)
  const rules = readRules(access, table)
  const base = nextId()
  const rows = whenTrue(allOf([rules.rows, extra]))
  const masks = new Map<number, Expression>()
  for (const [column, cell] of rules.cells) masks.set(column, filterExpression(cell, base, nextId))
  return {
    kind: 'securedTable',
    id,
    base,
    table,
    filter: rows.kind === 'true' ? undefined : filterExpression(rows, base, nextId),
    masks,
    readable: rules.readable.union(systemColumns(table)),
    pushed: [],
    barrier: false,
  }
}

/** They say nothing about a row but the table that it is stored in, and are in every row that the role set sees. */
function systemColumns({ columns }: Table): ReadonlySet<number> {
  return new Set(columns.flatMap(({ isSystem, ordinal }) => (isSystem === true ? [ordinal] : [])))
}
