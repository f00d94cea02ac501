/** @module Maps a column's type in MariaDB or MySQL to its PostgreSQL type. */
import { encodeTypmod, noTypmod, oids, type SqlType } from '@engine/core/catalog'
import type { ColumnRow } from './catalog-queries.ts'

/**
 * The type that clients see; undefined for types without a form on the wire (geometry, vectors).
 *
 * @param isJson a check of the table requires documents in the column
 * @param isUuid all values stored in it are UUIDs
 */
export function columnType(
  column: ColumnRow,
  { isJson, isUuid }: { readonly isJson: boolean; readonly isUuid: boolean },
): SqlType | undefined {
  const { dataType, columnType: declared, length, precision, scale, fractionDigits } = column
  const isUnsigned = declared.includes('unsigned')
  switch (dataType) {
    case 'tinyint':
      return plain(declared.startsWith('tinyint(1)') ? oids.bool : oids.int2)
    case 'year':
      return plain(oids.int2)
    case 'smallint':
      return plain(isUnsigned ? oids.int4 : oids.int2)
    case 'mediumint':
      return plain(oids.int4)
    case 'int':
      return plain(isUnsigned ? oids.int8 : oids.int4)
    case 'bigint':
      return isUnsigned ? modified(oids.numeric, 'numeric', 20, 0) : plain(oids.int8)
    case 'decimal':
      return modified(oids.numeric, 'numeric', precision ?? 10, scale ?? 0)
    case 'float':
      return plain(oids.float4)
    case 'double':
      return plain(oids.float8)
    case 'bit':
      return plain(precision === 1 ? oids.bool : oids.bytea)
    case 'char':
      return isUuid ? plain(oids.uuid) : ofLength(oids.bpchar, 'char', length)
    case 'longtext':
      return plain(isJson ? oids.jsonb : oids.text)
    // A length limit does not describe the values: a column that would be text in PostgreSQL must be VARCHAR here to be in a key.
    case 'varchar':
    case 'tinytext':
    case 'text':
    case 'mediumtext':
    case 'enum':
    case 'set':
    case 'inet4':
    case 'inet6':
      return plain(oids.text)
    case 'json':
      return plain(oids.jsonb)
    case 'uuid':
      return plain(oids.uuid)
    case 'date':
      return plain(oids.date)
    case 'time':
      return ofDigits(oids.time, 'time', fractionDigits)
    case 'datetime':
      return ofDigits(oids.timestamp, 'timestamp', fractionDigits)
    case 'timestamp':
      return ofDigits(oids.timestamptz, 'timestamptz', fractionDigits)
    case 'binary':
    case 'varbinary':
    case 'tinyblob':
    case 'blob':
    case 'mediumblob':
    case 'longblob':
      return plain(oids.bytea)
    default:
      return undefined
  }
}

function plain(oid: number): SqlType {
  return { oid, typmod: noTypmod }
}

/** `char(0)` exists here, but not in PostgreSQL. */
function ofLength(oid: number, name: string, length: number | undefined): SqlType {
  return length === undefined || length === 0 ? plain(oids.text) : modified(oid, name, length)
}

/** Six digits are PostgreSQL's default. */
function ofDigits(oid: number, name: string, digits = 0): SqlType {
  return digits >= 6 ? plain(oid) : modified(oid, name, digits)
}

function modified(oid: number, name: string, ...modifiers: readonly number[]): SqlType {
  const encoded = encodeTypmod(oid, modifiers, name)
  return encoded.ok ? { oid, typmod: encoded.typmod } : plain(oid)
}
