import { GatewayError } from '@engine/core/adapter'
import {
  fractionDigitsOfTypmod,
  lengthOfTypmod,
  numericOfTypmod,
  type Oid,
  oids,
  type PgType,
  type SqlType,
  type TypeSystem,
} from '@engine/core/catalog'
import { commaList, integer, memberName, qualifiedName, type Sql, sql } from '@engine/core/print'

/** `pg_catalog.numeric(10, 2)`, `"public"."mood"`: the name in the catalog, for any search path. */
export function typeName(types: TypeSystem, type: SqlType): Sql {
  const name = bareTypeName(types, type.oid)
  const modifiers = modifiersOf(types, type)
  return modifiers.length === 0 ? name : sql`${name}(${commaList(modifiers.map(integer))})`
}

/** The name without modifiers. An undetermined type is text, as PostgreSQL takes it. */
export function bareTypeName(types: TypeSystem, oid: Oid): Sql {
  const type = requireType(types, oid === oids.unknown ? oids.text : oid)
  if (type.schema !== undefined) return qualifiedName(type.schema, type.name)
  return sql`pg_catalog.${memberName(type.name)}`
}

export function requireType(types: TypeSystem, oid: Oid): PgType {
  const type = types.typeByOid(oid)
  if (type === undefined) throw new GatewayError('internal', `the type ${oid} is not catalogued`)
  return type
}

const fractionTypes: ReadonlySet<Oid> = new Set([
  oids.time,
  oids.timetz,
  oids.timestamp,
  oids.timestamptz,
])

/** The modifiers in parentheses after the type's name, `(10,2)`; arrays take the modifiers of their elements. */
function modifiersOf(types: TypeSystem, { oid, typmod }: SqlType): readonly number[] {
  if (typmod < 0) return []
  const scalar = types.elementTypeOid(oid) ?? oid
  const length = lengthOfTypmod(scalar, typmod)
  if (length !== undefined) return [length]
  if (fractionTypes.has(scalar)) return [fractionDigitsOfTypmod(scalar, typmod)]
  if (scalar === oids.numeric) {
    const limits = numericOfTypmod(typmod)
    return limits === undefined ? [] : [limits.precision, limits.scale]
  }
  // The upper half contains the fields, the lower one the number of digits.
  if (scalar === oids.interval) {
    const digits = typmod & 0xffff
    return digits === 0xffff ? [typmod >> 16] : [typmod >> 16, digits]
  }
  return []
}
