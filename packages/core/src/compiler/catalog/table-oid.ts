/**
 * @module The place where a row is stored: `tableoid`, the number of a table (the row's own, which may be a partition or one that
 * inherits), and `ctid`, the place in it. Clients may name `tableoid` alone.
 */
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { Column, Table } from './catalog.ts'

export const tableOid = 'tableoid'

/** PostgreSQL's type of `ctid`. */
const tidOid = 27

const known = new WeakMap<Table, Table>()

/**
 * The table with `tableoid` and `ctid` as its last columns. Only statements that use one of them have this table: no star contains
 * them.
 */
export function withTableOid(table: Table): Table {
  const found = known.get(table) ?? {
    ...table,
    columns: [
      ...table.columns,
      systemColumn(tableOid, 'oid', table.columns.length, placeTypes.tableOid),
      systemColumn('ctid', 'tid', table.columns.length + 1, placeTypes.ctid),
    ],
  }
  known.set(table, found)
  return found
}

/** Ordinals of `tableoid` and `ctid` in `withTableOid(table)`. */
export function placeColumns({ columns }: Table): {
  readonly tableOid: number
  readonly ctid: number
} {
  return { tableOid: columns.length, ctid: columns.length + 1 }
}

export const placeTypes: { readonly tableOid: SqlType; readonly ctid: SqlType } = {
  tableOid: { oid: oids.oid, typmod: -1 },
  ctid: { oid: tidOid, typmod: -1 },
}

function systemColumn(name: string, nativeType: string, ordinal: number, type: SqlType): Column {
  return {
    name,
    ordinal,
    type,
    nullable: false,
    hasDefault: true,
    generated: 'always',
    nativeType,
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
    isSystem: true,
  }
}
