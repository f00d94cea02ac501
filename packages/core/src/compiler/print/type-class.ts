/**
 * @module The facts about a PostgreSQL type that a dialect printer needs: one word for the storage and comparison of its values.
 */
import { oids } from '../sql-types/oids.ts'
import type { Oid } from '../sql-types/pg-type.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import { lengthOfTypmod, numericOfTypmod } from '../sql-types/typmod.ts'

/** Domains have the class of their base; enums and names are `text`; printers refuse `other`. */
export type TypeClass =
  | 'bool'
  | 'int2'
  | 'int4'
  | 'int8'
  | 'float4'
  | 'float8'
  | 'numeric'
  | 'text'
  | 'bpchar'
  | 'uuid'
  | 'bytea'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'interval'
  | 'json'
  | 'jsonb'
  | 'array'
  | 'record'
  | 'other'

const classes: ReadonlyMap<Oid, TypeClass> = new Map<Oid, TypeClass>([
  [oids.bool, 'bool'],
  [oids.int2, 'int2'],
  [oids.int4, 'int4'],
  [oids.oid, 'int8'],
  [oids.int8, 'int8'],
  [oids.float4, 'float4'],
  [oids.float8, 'float8'],
  [oids.numeric, 'numeric'],
  [oids.text, 'text'],
  [oids.varchar, 'text'],
  [oids.name, 'text'],
  [oids.unknown, 'text'],
  [oids.cstring, 'text'],
  [oids.bpchar, 'bpchar'],
  [oids.uuid, 'uuid'],
  [oids.bytea, 'bytea'],
  [oids.date, 'date'],
  [oids.time, 'time'],
  [oids.timestamp, 'timestamp'],
  [oids.timestamptz, 'timestamptz'],
  [oids.interval, 'interval'],
  [oids.json, 'json'],
  [oids.jsonb, 'jsonb'],
  [oids.record, 'record'],
])

/** The class of a type; domains have that of their base. */
export function classOf(types: TypeSystem, oid: Oid): TypeClass {
  const known = classes.get(oid)
  if (known !== undefined) return known
  if (types.elementTypeOid(oid) !== undefined) return 'array'
  const base = types.baseTypeOid(oid)
  return base === oid ? 'other' : classOf(types, base)
}

/** Returns whether a class has integers. */
export function isInteger(typeClass: TypeClass): boolean {
  return typeClass === 'int2' || typeClass === 'int4' || typeClass === 'int8'
}

/** Returns whether a class has floating-point numbers. */
export function isFloat(typeClass: TypeClass): boolean {
  return typeClass === 'float4' || typeClass === 'float8'
}

/** Do equal values have one text or one number? Not `1.0` and `1.00` as json, and not `'a'` and `'a '` as bpchar. */
export function hasOneForm(typeClass: TypeClass): boolean {
  switch (typeClass) {
    case 'bpchar':
    case 'interval':
    case 'json':
    case 'jsonb':
    case 'array':
    case 'record':
    case 'other':
      return false
    default:
      return true
  }
}

/** The scale of `numeric(p, s)`; undefined for a numeric without modifiers. */
export function scaleOfType(type: SqlType): number | undefined {
  return type.oid === oids.numeric ? numericOfTypmod(type.typmod)?.scale : undefined
}

/** The length of `varchar(n)` or `char(n)`. */
export function lengthOfType(type: SqlType): number | undefined {
  return type.oid === oids.varchar || type.oid === oids.bpchar
    ? lengthOfTypmod(type.oid, type.typmod)
    : undefined
}
