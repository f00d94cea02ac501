/** @module Converts stored values to the form that expressions use. */
import { type Column, numericOfTypmod, type TypeSystem } from '@engine/core/catalog'
import { integer, type Sql, sql } from '@engine/core/print'
import type { MysqlColumnNative } from '../introspection/native-column.ts'
import { binaryCollation, type PrintContext } from './print-context.ts'
import { classOf, lengthOfType } from './type-class.ts'

/** The findings of introspection about a column; safe assumptions where it found nothing. */
export function nativeOf(column: Column): Partial<MysqlColumnNative> {
  return (column.native ?? {}) as Partial<MysqlColumnNative>
}

/** Does the stored value already have the form of expressions? */
export function isReadAsStored(column: Column, types: TypeSystem): boolean {
  const { dataType, isUnsigned } = nativeOf(column)
  switch (classOf(types, column.type.oid)) {
    case 'bool':
    case 'bpchar':
    case 'uuid':
    case 'json':
    case 'jsonb':
      return false
    case 'text':
      return isBinaryText(column)
    case 'int2':
    case 'int4':
    case 'int8':
      return isUnsigned !== true && dataType !== 'year'
    case 'numeric':
      return isUnsigned !== true && dataType !== 'bigint'
    case 'float4':
    case 'float8':
      // DOUBLE(m, d) would cut off digits beyond its own.
      return !column.nativeType.includes('(')
    case 'bytea':
      return dataType !== 'bit'
    default:
      return true
  }
}

/** Text of a column that compares by code point without a conversion. */
export function isBinaryText(column: Column): boolean {
  const { dataType, charset, isBinaryCollation } = nativeOf(column)
  const isPlain = dataType !== 'enum' && dataType !== 'set'
  return isPlain && charset === 'utf8mb4' && isBinaryCollation === true
}

export function readStored(column: Column, stored: Sql, context: PrintContext): Sql {
  const typeClass = classOf(context.types, column.type.oid)
  switch (typeClass) {
    case 'bool':
      return sql`(${stored} <> 0)`
    case 'bpchar': {
      const length = lengthOfType(column.type)
      const text = readText(column, stored, context)
      return length === undefined ? text : sql`rpad(${text}, ${integer(length)}, ' ')`
    }
    case 'uuid':
      return sql`lower(${readText(column, stored, context)})`
    case 'text':
      return readText(column, stored, context)
    case 'json':
    case 'jsonb':
      return isConverted(column)
        ? readText(column, stored, context)
        : sql`(${stored} collate ${binaryCollation(context)})`
    default:
  }
  if (isReadAsStored(column, context.types)) return stored
  switch (typeClass) {
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`cast(${stored} as signed)`
    case 'float4':
    case 'float8':
      return sql`(${stored} * 1e0)`
    case 'numeric': {
      const { precision, scale } = numericOfTypmod(column.type.typmod) ?? {
        precision: 65,
        scale: 0,
      }
      return sql`cast(${stored} as decimal(${integer(precision)}, ${integer(scale)}))`
    }
    // BIT(8): would be a number in comparisons.
    case 'bytea':
      return sql`cast(${stored} as binary)`
    default:
      return stored
  }
}

/** Is its character set different from that of expressions? A document of MySQL has none of its own. */
function isConverted(column: Column): boolean {
  const { charset } = nativeOf(column)
  return charset !== undefined && charset !== 'utf8mb4'
}

/** The text of a stored value, as expressions compare it. */
export function readText(column: Column, stored: Sql, context: PrintContext): Sql {
  if (isBinaryText(column)) return stored
  const { dataType, charset } = nativeOf(column)
  const collation = binaryCollation(context)
  switch (dataType) {
    case 'enum':
    case 'set':
    case 'uuid':
      return sql`(cast(${stored} as char) collate ${collation})`
    default:
      return charset === 'utf8mb4'
        ? sql`(${stored} collate ${collation})`
        : sql`(convert(${stored} using utf8mb4) collate ${collation})`
  }
}
