/** @module May a catalog be shown to a caller for whom another one is being built? */
import type { VisibleCatalog, VisibleConnection, VisibleTable } from '@engine/core/session'

/** Every type, table, column and right of `shown` is in `wanted` too: it shows nothing that the caller may not know. */
export function covers(wanted: VisibleCatalog, shown: VisibleCatalog): boolean {
  const connections = new Map(wanted.connections.map((each) => [each.name, each]))
  return shown.connections.every((connection) => {
    const wider = connections.get(connection.name)
    return wider === undefined
      ? connection.tables.length === 0 && connection.types.ownTypes.length === 0
      : coversConnection(wider, connection)
  })
}

function coversConnection(wanted: VisibleConnection, shown: VisibleConnection): boolean {
  const tables = new Map(wanted.tables.map((table) => [table.name, table]))
  return (
    shown.types.ownTypes.every((type) => sameJson(wanted.types.typeByOid(type.oid), type)) &&
    shown.tables.every((table) => coversTable(tables.get(table.name), table))
  )
}

function coversTable(wanted: VisibleTable | undefined, shown: VisibleTable): boolean {
  if (wanted === undefined || wanted.kind !== shown.kind) return false
  const { columns, operations, ...facts } = shown
  const own = new Map(wanted.columns.map((each) => [each.column.name, each]))
  return (
    operations.every((operation) => wanted.operations.includes(operation)) &&
    columns.every((each) => sameJson(own.get(each.column.name), each)) &&
    factsOf(facts).every(([name, fact]) => sameJson(wanted[name], fact))
  )
}

/** Keys, indexes, checks, comments and what is known of views; new ones of a table make it another table. */
function factsOf(facts: Omit<VisibleTable, 'columns' | 'operations'>) {
  const { comment, primaryKey, uniqueKeys, keyNames, foreignKeys, checks, indexes } = facts
  const { definition, writes } = facts
  return Object.entries({
    comment,
    primaryKey,
    uniqueKeys,
    keyNames,
    foreignKeys,
    checks,
    indexes,
    definition,
    writes,
  }) as readonly (readonly [keyof VisibleTable, unknown])[]
}

function sameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
