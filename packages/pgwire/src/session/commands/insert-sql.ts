/** @module The INSERT statements of COPY FROM: each writes several rows, where a condition leaves some of them out. */

import type { TypeSystem } from '@engine/core/catalog'
import type { StatementDescription } from '@engine/core/session'
import { type Oid, oids } from '@engine/core/values'
import { type CopyTable, quoted } from './copy-table.ts'

export function insertSql(table: CopyTable, rowCount: number): string {
  const rows = rowsOf(rowCount, table.columns.length, (parameter) => parameter)
  return `${insertInto(table)} VALUES ${rows}`
}

/** The condition sees values of the columns' types, as they will be stored. */
export function filteredSql(
  table: CopyTable,
  { parameterTypes, types }: Pick<StatementDescription, 'parameterTypes' | 'types'>,
  rowCount: number,
  where: string,
): string {
  const names = table.columns.map(quoted).join(', ')
  const rows = rowsOf(rowCount, table.columns.length, (parameter, column) => {
    const { oid } = parameterTypes[column] ?? {}
    const typmod = table.typmods[column] ?? -1
    if (oid === undefined || typmod === -1 || limitsLength(types, oid)) return parameter
    return `${parameter}::${types.formatType(oid, typmod)}`
  })
  const source = `(VALUES ${rows}) AS ${quoted(table.name)} (${names})`
  return `${insertInto(table)} SELECT ${names} FROM ${source} WHERE ${where}`
}

const lengthTypes: ReadonlySet<Oid> = new Set([oids.varchar, oids.bpchar, oids.bit, oids.varbit])

/** A cast would cut a text that is too long, where INSERT refuses it. */
function limitsLength(types: TypeSystem, oid: Oid): boolean {
  return lengthTypes.has(types.baseTypeOid(oid))
}

function insertInto({ quotedName, columns, overridesIdentity }: CopyTable): string {
  const overriding = overridesIdentity ? ' OVERRIDING SYSTEM VALUE' : ''
  return `INSERT INTO ${quotedName} (${columns.map(quoted).join(', ')})${overriding}`
}

/** `($1, $2), ($3, $4)` */
function rowsOf(
  rowCount: number,
  width: number,
  write: (parameter: string, column: number) => string,
): string {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const values = Array.from({ length: width }, (_, column) =>
      write(`$${row * width + column + 1}`, column),
    )
    return `(${values.join(', ')})`
  })
  return rows.join(', ')
}
