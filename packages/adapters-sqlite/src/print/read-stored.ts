/** @module Converts stored values to the form that expressions use. */
import { type Column, numericOfTypmod, oids, type TypeSystem } from '@engine/core/catalog'
import { integer, keyword, type Sql, sql } from '@engine/core/print'
import type { SqliteColumnNative } from '../introspection/native-column.ts'
import { call } from './print-context.ts'
import { classOf, lengthOfType } from './type-class.ts'

/** A DECIMAL column whose numbers are decimals of at most 15 digits, all with the same scale. */
export interface StoredDecimal {
  readonly scale: number
}

const mostExactDigits = 15

/** The findings of introspection about a column; safe assumptions where it found nothing. */
export function nativeOf(column: Column): Partial<SqliteColumnNative> {
  return (column.native ?? {}) as Partial<SqliteColumnNative>
}

/** Does the column contain values in exactly the form that this adapter writes? */
export function isCanonical(column: Column, types: TypeSystem): boolean {
  const found = nativeOf(column).isCanonical
  if (found !== undefined) return found
  switch (classOf(types, column.type.oid)) {
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
    case 'uuid':
      return false
    default:
      return true
  }
}

/** Set for a numeric column whose stored numbers can be compared directly. */
export function storedDecimal(column: Column): StoredDecimal | undefined {
  if (column.type.oid !== oids.numeric) return undefined
  const modifiers = numericOfTypmod(column.type.typmod)
  if (modifiers === undefined || modifiers.precision > mostExactDigits) return undefined
  if (modifiers.scale < 0 || modifiers.scale > modifiers.precision) return undefined
  const { affinity, isCanonical: found } = nativeOf(column)
  if (affinity === 'text' || affinity === 'blob' || found === false) return undefined
  return { scale: modifiers.scale }
}

/** Does the stored value already have the form of expressions? */
export function isReadAsStored(column: Column, types: TypeSystem): boolean {
  switch (classOf(types, column.type.oid)) {
    case 'numeric':
    case 'bpchar':
    case 'json':
    case 'jsonb':
      return false
    default:
      return column.collation === undefined && isCanonical(column, types)
  }
}

export function readStored(column: Column, stored: Sql, types: TypeSystem): Sql {
  const typeClass = classOf(types, column.type.oid)
  const plain = column.collation === undefined ? stored : sql`(${stored} collate binary)`
  switch (typeClass) {
    case 'numeric': {
      const scale = numericOfTypmod(column.type.typmod)?.scale ?? -1
      return call('dec_read', stored, integer(scale))
    }
    case 'bpchar': {
      const length = lengthOfType(column.type)
      return length === undefined ? plain : call('bpchar_pad', plain, integer(length))
    }
    case 'json':
      return call('pg_json_from_text', stored)
    case 'jsonb':
      return call('pg_jsonb', stored)
    default:
  }
  if (isCanonical(column, types)) return plain
  switch (typeClass) {
    case 'bool':
      return call('stored_bool', stored)
    case 'int2':
    case 'int4':
    case 'int8':
      return call('stored_int', stored)
    case 'float4':
    case 'float8':
      return call('stored_float', stored)
    case 'date':
      return call('pg_parse_date', stored)
    case 'time':
      return call('pg_parse_time', stored)
    case 'timestamp':
      return call('pg_parse_timestamp', stored)
    case 'timestamptz':
      return call('pg_parse_timestamptz', stored)
    case 'uuid':
      return call('uuid_of_text', stored)
    case 'bytea':
      return call('stored_bytes', stored)
    default:
      return call('stored_text', stored)
  }
}

/** A stored decimal as a whole number of its smallest unit: `12.30` → 1230. */
export function storedUnits(stored: Sql, scale: number): Sql {
  return sql`cast(round(${stored} * ${keyword(`${10 ** scale}.0`)}) as integer)`
}
