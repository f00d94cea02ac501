/** @module The visible table that a name means outside of a statement: `COPY "public"."orders"`. */
import { tableAddress } from '../../compiler/bind/scope/table-address.ts'
import type { VisibleCatalog, VisibleTable } from './visible-catalog.ts'

/** A table's name as the client wrote it. */
export interface ClientTableName {
  readonly catalog?: string | undefined
  readonly schema: string | undefined
  readonly table: string
}

/** Resolved as in a statement; undefined when the caller sees no such table. */
export function visibleTable(
  { connections, defaultConnection }: VisibleCatalog,
  { catalog, schema, table }: ClientTableName,
  searchPath: readonly string[],
): { readonly connection: string; readonly table: VisibleTable } | undefined {
  const byName = new Map(connections.map((connection) => [connection.name, connection]))
  const name = {
    ...(catalog === undefined ? {} : { catalogname: catalog }),
    ...(schema === undefined ? {} : { schemaname: schema }),
    relname: table,
  }
  const address = tableAddress(name, { connections: byName, defaultConnection })
  for (const connection of address.connection === undefined ? searchPath : [address.connection]) {
    const found = byName.get(connection)?.tables.find((each) => each.name === address.table)
    if (found !== undefined) return { connection, table: found }
  }
  return undefined
}
