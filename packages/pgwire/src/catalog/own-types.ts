/** @module Types that a connection defines. */

import type { PgType, TypeSystem } from '@engine/core/catalog'
import type { VisibleConnection, VisibleTable } from '@engine/core/session'
import type { Oid } from '@engine/core/values'

/** The first OID that initdb assigns freely: OIDs below it are the same in every PostgreSQL. */
const firstFloatingOid = 12_000

/** The connection's own types that the caller may know, each after the types that it depends on. */
export function ownTypes({ types, tables }: VisibleConnection): readonly PgType[] {
  const found = new Map<Oid, PgType>()
  const seen = new Set<Oid>()
  const visit = (oid: Oid): void => {
    const type = types.typeByOid(oid)
    if (type === undefined || isBuiltin(type) || seen.has(oid)) return
    seen.add(oid)
    if (type.baseOid !== undefined) visit(type.baseOid)
    if (type.subtypeOid !== undefined) visit(type.subtypeOid)
    const rangeOid = type.kind === 'multirange' ? types.rangeTypeOid(oid) : undefined
    if (rangeOid !== undefined) visit(rangeOid)
    for (const attribute of type.attributes ?? []) visit(attribute.oid)
    if (type.elementOid === undefined) found.set(oid, type)
    else visit(type.elementOid)
    if (type.multirangeOid !== undefined) visit(type.multirangeOid)
  }
  for (const { columns } of tables) for (const { column } of columns) visit(column.type.oid)
  const tableNames = new Set(tables.map(({ name }) => name))
  for (const type of types.ownTypes) {
    if (isOfGeneralUse(type) && !tableNames.has(type.name)) visit(type.oid)
  }
  return [...found.values()]
}

/**
 * Types that clients look for by name, whether or not a column has them. Not the type of a table's rows: its attributes are columns that
 * the caller may not know of.
 */
function isOfGeneralUse({ elementOid, isRowType }: PgType): boolean {
  return elementOid === undefined && isRowType === undefined
}

/** The table whose rows are of this type, where the caller may know it: creating the table creates the type. */
export function tableOfRows(
  { tables }: VisibleConnection,
  { oid, attributes }: PgType,
): VisibleTable | undefined {
  return attributes && tables.find(({ oids }) => oids?.rowType === oid)
}

/** The multirange type of a range type. Databases before PostgreSQL 14 have none. */
export function multirangeOf({ types }: VisibleConnection, type: PgType): PgType | undefined {
  return type.multirangeOid === undefined ? undefined : types.typeByOid(type.multirangeOid)
}

/** Returns whether the type has the same OID in every PostgreSQL. */
export function isBuiltin({ oid, schema }: PgType): boolean {
  return oid < firstFloatingOid && schema === undefined
}

/** OID of the array type over one of the connection's own types, where there is one. */
export function ownArrayOid(types: TypeSystem, type: PgType): Oid | undefined {
  return type.arrayOid ?? types.arrayTypeOid(type.oid)
}
