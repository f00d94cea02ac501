/** @module Questions that a printer asks about the table that a statement writes. */

import type { ForeignKey, Table } from '../../catalog/catalog.ts'
import type { DeleteWrite, UpdateWrite } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { visitExpression } from './visit-query.ts'

/** Does an expression read a table in a subquery? A view may read any table. */
export function readsTable(expression: Expression, table: Table): boolean {
  return readsOneOf(expression, new Set([table]))
}

/**
 * Does an expression read one of these tables in a subquery, one with some of their rows, or one whose rows these views write? A view
 * may read any table.
 */
export function readsOneOf(expression: Expression, tables: ReadonlySet<Table>): boolean {
  const views = [...tables].filter(({ kind }) => kind === 'view')
  let isFound = false
  const families = new Set([...tables].map(familyOf))
  visitExpression(expression, {
    fromItem: (item) => {
      if (item.kind !== 'securedTable') return
      const { table } = item
      if (families.has(familyOf(table)) || table.kind === 'view') isFound = true
      if (views.some((view) => mayStoreIn(view, table))) isFound = true
    },
  })
  return isFound
}

/** Equal for tables that may have the same rows. */
export function familyOf({ family, key }: Table): string {
  return family ?? key
}

/** Can a write of the view change rows of the table? A trigger may write any table. */
function mayStoreIn({ viewWrites }: Table, { native, family }: Table): boolean {
  const { base } = viewWrites ?? {}
  if (base === undefined || viewWrites === undefined) return true
  const { insert, update, delete: deletes } = viewWrites
  if ([insert, update, deletes].some((method) => method !== 'table')) return true
  // The base may be another table of the family.
  if (family !== undefined) return true
  return base.schema === native.schema && base.name === native.name
}

/** Can a write of one of these tables change the rows that the other shows? They may be the same table, by its name or by views. */
export function mayShareRows(left: Table, right: Table): boolean {
  if (familyOf(left) === familyOf(right)) return true
  if (left.kind === 'view' && right.kind === 'view') return true
  if (left.kind === 'view') return mayStoreIn(left, right)
  return right.kind === 'view' && mayStoreIn(right, left)
}

/**
 * The tables whose rows a write changes: its own, and those that the actions of foreign keys reach. Some databases run these
 * actions after each row, so that expressions for the next row see their changes; PostgreSQL runs them after the statement.
 *
 * @param tables of the connection, by name
 */
export function changedTables(
  write: DeleteWrite | UpdateWrite,
  tables: ReadonlyMap<string, Table>,
): ReadonlySet<Table> {
  const { table } = write.target
  const changed = new Set([table])
  const waiting = [table]
  const follows = followedBy(write)
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const isFirst = each === table
    const { name } = each
    for (const other of tables.values()) {
      const keys = other.foreignKeys.filter((foreign) => foreign.table === name)
      if (changed.has(other) || !keys.some((key) => (isFirst ? follows(key) : hasAction(key)))) {
        continue
      }
      changed.add(other)
      waiting.push(other)
    }
  }
  return changed
}

/** Selects the foreign keys to the written table that have an action. */
function followedBy(write: DeleteWrite | UpdateWrite): (key: ForeignKey) => boolean {
  if (write.kind === 'delete') return ({ onDelete }) => onDelete !== 'restrict'
  const { columns } = write.target.table
  const assigned = new Set(write.assignments.map(({ column }) => columns[column]?.name))
  return ({ onUpdate, references }) =>
    onUpdate !== 'restrict' && references.some((name) => assigned.has(name))
}

/** An unknown action may be any action. */
function hasAction({ onDelete, onUpdate }: ForeignKey): boolean {
  return onDelete !== 'restrict' || onUpdate !== 'restrict'
}

/** Returns whether an expression contains a subquery. */
export function hasSubquery(expression: Expression): boolean {
  let isFound = false
  visitExpression(expression, {
    query: () => {
      isFound = true
    },
  })
  return isFound
}

/**
 * Can deleting one row delete another of the same table, by foreign keys? Some databases do that at once, so that the other is
 * not counted and not returned; PostgreSQL does it after the statement.
 *
 * @param tables of the connection, by name
 */
export function refersToItself(table: Table, tables: ReadonlyMap<string, Table>): boolean {
  const reached = new Set<Table>()
  const waiting = [table]
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const { name } = each
    for (const other of tables.values()) {
      if (!other.foreignKeys.some((foreign) => foreign.table === name)) continue
      if (other === table) return true
      if (!reached.has(other)) waiting.push(other)
      reached.add(other)
    }
  }
  return false
}
