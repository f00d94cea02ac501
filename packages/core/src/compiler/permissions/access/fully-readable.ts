/** @module Is a column or table hidden from a caller? If nothing is hidden, errors may name all of them. */
import type { RangeVar } from '@pgsql/types'
import { tableAddress } from '../../bind/scope/table-address.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Access } from './access.ts'
import { grantedColumns, isKnown } from './grants.ts'

/**
 * May the caller read every column of each table that the statement names? A name of a WITH query counts as the table of that
 * name, if there is one: names are compared before the statement is understood.
 *
 * @param relations every table name of the statement, in any position.
 */
export function readsEveryColumn(
  access: Access,
  relations: readonly RangeVar[],
  catalog: Catalog,
): boolean {
  if (access.isFull) return true
  const { tables } = access.connection
  return relations.every((relation) => {
    const table = tables.get(tableAddress(relation, catalog).table)
    return table === undefined || grantedColumns(access, table, 'select') === 'all'
  })
}

/** Is an operation granted on each table of the connection? */
export function seesEveryTable(access: Access): boolean {
  return [...access.connection.tables.values()].every((table) => isKnown(access, table))
}
