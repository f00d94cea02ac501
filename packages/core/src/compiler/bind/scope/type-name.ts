/** @module Type names as the grammar spells them. */
import type { Node, TypeName } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgType } from '../../sql-types/pg-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { BindContext } from './context.ts'
import { nameParts, onlyFields } from './syntax-node.ts'
import { tableRowType } from './table-row-type.ts'

/**
 * The type that a client names. A connection's own types may be qualified as its tables are: with the connection, a schema or both.
 *
 * @throws {GatewayError} `badRequest` for an unknown type or a wrong modifier.
 */
export function bindTypeName(typeName: TypeName, context: BindContext): SqlType {
  onlyFields(typeName, 'a type', ['names', 'typmods', 'typemod', 'arrayBounds', 'location'])
  const { location: position, typmods, arrayBounds } = typeName
  const { types } = context
  if ((typeName.typemod ?? -1) !== -1) throw unsupported('this type modifier', position)
  const row = rowTypeNamed(typeName, context)
  if (row !== undefined) return row
  const scalar = findType(typeName, context)
  const isArray = (arrayBounds ?? []).length > 0
  const oid = isArray ? (types.arrayTypeOid(scalar.oid) ?? scalar.oid) : scalar.oid
  if (isArray && oid === scalar.oid && scalar.elementOid === undefined) {
    throw bindError(`could not find array type for data type ${types.formatType(scalar.oid)}`, {
      sqlState: '42704',
      position,
    })
  }
  const modifiers = (typmods ?? []).map((node) => modifierOf(node, position))
  const encoded = types.encodeTypmod(scalar.oid, modifiers)
  if (!encoded.ok) throw bindError(encoded.message, { sqlState: encoded.sqlState, position })
  return { oid, typmod: encoded.typmod }
}

function findType(typeName: TypeName, context: BindContext): PgType {
  const { location: position } = typeName
  const parts = nameParts(typeName.names, 'this type name', position)
  const type = typeOfParts(parts, context)
  if (type === undefined || !isNameable(type, context)) {
    if (isSystemType(type))
      throw unsupported(`the type ${parts.join('.')} of the system catalogs`, position)
    const message = `type "${parts.join('.')}" does not exist`
    throw bindError(message, { sqlState: '42704', position })
  }
  return type
}

/** `oid`, `regtype`, `xid`: types of system catalogs. */
function isSystemType(type: PgType | undefined): boolean {
  return type?.schema === undefined && (type?.kind === 'base' || type?.kind === 'range')
}

function isNameable({ kind, oid, isNameable: isListed }: PgType, context: BindContext): boolean {
  return oid === oids.record ? context.connection.traits.rowValues : isListed && kind !== 'pseudo'
}

/** The type of a table's rows; undefined where the name means another type, or none. */
export function rowTypeNamed(typeName: TypeName, context: BindContext): SqlType | undefined {
  const { location: position, typmods = [], arrayBounds = [] } = typeName
  const parts = nameParts(typeName.names, 'this type name', position)
  if (typeOfParts(parts, context) !== undefined || typmods.length > 0) return undefined
  const row = tableRowType(parts, context)
  if (row === undefined || arrayBounds.length === 0) return row
  throw unsupported('an array of rows of a table as a type', position)
}

/** A range or multirange type of the connection's own: `stock.span`, as in `stock.span('a', 'b')`. */
export function ownRangeType(parts: readonly string[], context: BindContext): PgType | undefined {
  const type = typeOfParts(parts, context)
  const isRange = type?.kind === 'range' || type?.kind === 'multirange'
  return isRange && type.schema !== undefined ? type : undefined
}

function typeOfParts(parts: readonly string[], context: BindContext): PgType | undefined {
  const [first = '', second = ''] = parts
  const { types, qualifiers, connection } = context
  if (parts.length === 1) return types.typeByName(first)
  if (parts.length === 2 && first === 'pg_catalog') return types.typeByName(`pg_catalog.${second}`)
  const schema = parts.length === 2 ? context.schemaNamed?.(first) : undefined
  const shared = schema === undefined ? undefined : types.typeByName(`${schema}.${second}`)
  if (shared !== undefined) return shared
  const path = qualifiers.has(first) ? parts.slice(1) : parts
  const [within = ''] = path
  if (path.length !== 1 && !(path.length === 2 && connection.schemas?.includes(within))) {
    return undefined
  }
  const own = types.typeByName(path.join('.'))
  return own?.schema === undefined ? undefined : own
}

function modifierOf(node: Node, position: number | undefined): number {
  if (!('A_Const' in node) || node.A_Const.ival === undefined) {
    throw unsupported('this type modifier', position)
  }
  return node.A_Const.ival.ival ?? 0
}
