import { formatType } from '../../compiler/sql-types/format-type.ts'
import type { SqlType } from '../../compiler/sql-types/sql-type.ts'
import { builtinTypes } from '../../compiler/sql-types/system/builtin-catalog.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import { createTypeTable } from '../../compiler/sql-types/type-table.ts'
import { noTypmod } from '../../compiler/sql-types/typmod.ts'

/**
 * The one name that a column's type has for clients: PostgreSQL's name for the type of its values on the wire. Domains have the
 * name of their base type. A type of the database's own with the name of one of PostgreSQL's is qualified with its schema, so
 * that the two are not confused.
 */
export function columnTypeName(types: TypeSystem, { oid, typmod }: SqlType): string {
  const type = types.typeByOid(oid)
  if (type?.baseOid !== undefined) {
    return columnTypeName(types, { oid: type.baseOid, typmod: type.baseTypmod ?? noTypmod })
  }
  const elementOid = types.elementTypeOid(oid)
  if (elementOid !== undefined && types.wireKind(oid).kind === 'array') {
    return `${columnTypeName(types, { oid: elementOid, typmod })}[]`
  }
  const name = types.formatType(oid, typmod)
  const isMistakable = type?.schema !== undefined && builtinNames.has(name)
  return isMistakable ? `${type.schema}.${name}` : name
}

const builtinTable = createTypeTable({ types: builtinTypes, casts: [] }, { types: [], casts: [] })

const builtinNames: ReadonlySet<string> = new Set(
  builtinTypes.map(({ oid }) => formatType(builtinTable, oid)),
)
