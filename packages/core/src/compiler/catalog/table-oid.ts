/** @module `tableoid`, the number of the table that a row is stored in: one of the table's own, its partitions and those that inherit from it. */
import { oids } from '../sql-types/oids.ts'
import type { Column, Table } from './catalog.ts'

export const tableOid = 'tableoid'

const known = new WeakMap<Table, Table>()

/** The table with `tableoid` as its last column. Only statements that name it have this table: no star contains it. */
export function withTableOid(table: Table): Table {
  const found = known.get(table) ?? { ...table, columns: [...table.columns, oidColumn(table)] }
  known.set(table, found)
  return found
}

function oidColumn({ columns }: Table): Column {
  return {
    name: tableOid,
    ordinal: columns.length,
    type: { oid: oids.oid, typmod: -1 },
    nullable: false,
    hasDefault: true,
    generated: 'always',
    nativeType: 'oid',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
    isSystem: true,
  }
}
