/** @module The types of a connection's own that are visible to a caller: the types of columns that it may name. */
import { allTables } from '../../catalog/partitions.ts'
import type { Oid } from '../../sql-types/pg-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { Access } from './access.ts'
import { grantedColumns } from './grants.ts'

/**
 * The connection's types without the enums, domains and others that occur in no column visible to the caller: their labels and
 * checks would reveal hidden columns.
 */
export function visibleTypes(access: Access): TypeSystem {
  const { connection, isFull } = access
  const known = isFull ? connection.types : visible.get(access)
  if (known !== undefined) return known
  const found = connection.types.narrowTo(typesOfColumns(access))
  visible.set(access, found)
  return found
}

/** An access is created once for each set of rights; neither it nor the catalog ever changes. */
const visible = new WeakMap<Access, TypeSystem>()

function typesOfColumns(access: Access): ReadonlySet<Oid> {
  const types = new Set<Oid>()
  for (const table of allTables(access.connection)) {
    const granted = (['select', 'insert', 'update'] as const).map((operation) =>
      grantedColumns(access, table, operation),
    )
    for (const { ordinal, type } of table.columns) {
      if (granted.some((columns) => columns === 'all' || columns.has(ordinal))) types.add(type.oid)
    }
  }
  return types
}
