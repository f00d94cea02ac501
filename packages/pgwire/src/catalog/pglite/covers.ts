/** @module May a catalog be shown to a caller for whom another one is being built? */
import type { VisibleCatalog } from '@engine/core/server'

/** Everything that `shown` has is in `wanted` as well: it tells nothing that the caller may not know. */
export function covers(wanted: VisibleCatalog, shown: VisibleCatalog): boolean {
  const connections = new Map(wanted.connections.map((each) => [each.name, each]))
  return shown.connections.every(({ name, tables }) => {
    const columnsOf = new Map(
      connections
        .get(name)
        ?.tables.map((table) => [
          table.name,
          new Set(table.columns.map(({ column }) => column.name)),
        ]),
    )
    return tables.every((table) => {
      const columns = columnsOf.get(table.name)
      return columns !== undefined && table.columns.every(({ column }) => columns.has(column.name))
    })
  })
}
