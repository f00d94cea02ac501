/** @module May a caller know the query of a view? It names tables and columns, and holds constants. */
import type { Table, ViewDefinition } from '../../catalog/catalog.ts'
import { findTable } from '../../catalog/partitions.ts'
import { databaseOf } from '../../catalog/shared-database.ts'
import type { Access } from './access.ts'

/**
 * The query of a view, for a caller who may know all of what it names; undefined otherwise.
 *
 * With full rights these are tables of the connection: what the configuration leaves out is hidden from everybody. Any other
 * caller has to read each row and each cell of the view and of all tables that it names, and it must name nothing besides.
 */
export function visibleDefinition(access: Access, view: Table): ViewDefinition | undefined {
  const { definition } = view
  if (definition?.tables === undefined) return undefined
  if (access.isFull) return definition
  const database = databaseOf(access.connection)
  const isKnown =
    definition.isPlain &&
    readsEveryCell(access, view) &&
    definition.tables.every((key) => {
      const table = findTable(database, key)
      return table !== undefined && readsEveryCell(access, table)
    })
  return isKnown ? definition : undefined
}

/** Proven by one permission, which shows all columns in all rows. */
function readsEveryCell(access: Access, table: Table): boolean {
  if (table.hasRowSecurity === true) return false
  const permissions = access.permissionsFor(table)
  return (
    permissions.every(
      ({ restrict, select }) =>
        (restrict === undefined || restrict.kind === 'true') && select?.limit === undefined,
    ) &&
    permissions.some(
      ({ select }) =>
        select?.where.kind === 'true' &&
        select.aggregate &&
        table.columns.every(({ ordinal }) => select.columns.has(ordinal)),
    )
  )
}
