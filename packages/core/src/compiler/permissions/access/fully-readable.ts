/** @module Is a column or table hidden from a caller? If nothing is hidden, errors may name all of them. */
import type { RangeVar } from '@pgsql/types'
import { tableAddress } from '../../bind/scope/table-address.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { allTables } from '../../catalog/partitions.ts'
import type { Access } from './access.ts'
import { grantedColumns, isKnown } from './grants.ts'

/**
 * May the caller read every column of each table that the statement names? A name of a WITH query counts as the table of that
 * name, if there is one, and a name as all tables of that name in the database: names are compared before the statement is
 * understood.
 *
 * @param relations every table name of the statement, in any position.
 */
export function readsEveryColumn(
  access: Access,
  relations: readonly RangeVar[],
  catalog: Catalog,
): boolean {
  if (access.isFull) return true
  const all = allTables(access.connection)
  return relations.every((relation) => {
    const { table: name } = tableAddress(relation, catalog)
    return all
      .filter((table) => table.name === name || table.key === name)
      .every((table) => grantedColumns(access, table, 'select') === 'all')
  })
}

/** Is an operation granted on each table of the connection? */
export function seesEveryTable(access: Access): boolean {
  return [...access.connection.tables.values()].every((table) => isKnown(access, table))
}
