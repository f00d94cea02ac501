/** @module What a PostgreSQL type is inside SQLite: which values it has there and how they compare. */
import {
  lengthOfTypmod,
  numericOfTypmod,
  type Oid,
  oids,
  type SqlType,
  type TypeSystem,
} from '@engine/core'

/**
 * - `bool`: 0 and 1; `int2`, `int4`, `int8`: INTEGER; `float4`, `float8`: REAL; `bytea`: BLOB
 * - `numeric`: text of digits with the display scale
 * - `text`: varchar, name and enums too; `bpchar`: padded with blanks; `uuid`: lower case
 * - `date`, `time`, `timestamp`, `timestamptz`, `interval`: PostgreSQL's canonical text
 * - `json`, `jsonb`: JSON text
 * - `array`: JSON text of an array
 * - `record`: JSON text of an object
 * - `other`: nothing that SQLite could hold
 */
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

export function classOf(types: TypeSystem, oid: Oid): TypeClass {
  const known = classes.get(oid)
  if (known !== undefined) return known
  if (types.elementTypeOid(oid) !== undefined) return 'array'
  const base = types.baseTypeOid(oid)
  return base === oid ? 'other' : classOf(types, base)
}

/** Equal values are identical in SQLite too, and its order is PostgreSQL's. */
export function comparesNatively(typeClass: TypeClass): boolean {
  switch (typeClass) {
    case 'numeric':
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

export function isInteger(typeClass: TypeClass): boolean {
  return typeClass === 'int2' || typeClass === 'int4' || typeClass === 'int8'
}

export function isFloat(typeClass: TypeClass): boolean {
  return typeClass === 'float4' || typeClass === 'float8'
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
