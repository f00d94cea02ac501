/** @module The type of a stored column: as the catalog has it, and as the server reports it for a prepared statement. */
import { type Column, numericOfTypmod, oids } from '@engine/core/catalog'
import type { CellKind } from '@engine/core/values'
import { wireTypes } from '../driver/protocol/binary-row.ts'
import type { WireColumn } from '../driver/protocol/column-definition.ts'
import type { MysqlColumnNative } from '../introspection/native-column.ts'

/** `integer`, `numeric(2)`, `varchar`, `char of bytes` ...: columns of one such type have the same values for clients. */
export type ReportedType = string

export type DescribedColumn = Pick<
  WireColumn,
  'columnType' | 'isUnsigned' | 'isBinary' | 'decimals' | 'width'
>

export function reportedType(column: DescribedColumn): ReportedType {
  const { columnType, isUnsigned, decimals } = column
  switch (columnType) {
    case wireTypes.tiny:
      return column.width === 1 ? 'boolean' : 'integer'
    case bit:
      return column.width === 1 ? 'bit' : 'bits'
    case wireTypes.short:
    case wireTypes.int24:
    case wireTypes.year:
      return 'integer'
    case wireTypes.long:
      return isUnsigned ? 'bigint' : 'integer'
    case wireTypes.longLong:
      return isUnsigned ? 'numeric(0)' : 'bigint'
    case wireTypes.decimal:
    case wireTypes.newDecimal:
      return `numeric(${decimals})`
    default: {
      const known = names.get(columnType) ?? 'other'
      const name = known === 'text' && column.width > 0 ? 'longtext' : known
      return column.isBinary && texts.has(name) ? `${name} of bytes` : name
    }
  }
}

const bit = 16

const names: ReadonlyMap<number, string> = new Map([
  [wireTypes.float, 'float'],
  [wireTypes.double, 'double'],
  [wireTypes.date, 'date'],
  [wireTypes.newDate, 'date'],
  [wireTypes.time, 'time'],
  [wireTypes.dateTime, 'timestamp'],
  [wireTypes.timestamp, 'timestamptz'],
  [wireTypes.json, 'json'],
  ...[15, 253].map((type) => [type, 'varchar'] as const),
  ...[247, 248, 254].map((type) => [type, 'char'] as const),
  ...[249, 250, 251, 252].map((type) => [type, 'text'] as const),
])

const texts: ReadonlySet<string> = new Set(['varchar', 'char', 'text', 'longtext'])

/** The type that the server reports for a column as it was introspected. */
export function storedType({ type, native }: Pick<Column, 'type' | 'native'>): ReportedType {
  const { dataType = '', isUnsigned, charset } = (native ?? {}) as Partial<MysqlColumnNative>
  switch (dataType) {
    case 'tinyint':
      return type.oid === oids.bool ? 'boolean' : 'integer'
    case 'bit':
      return type.oid === oids.bool ? 'bit' : 'bits'
    case 'smallint':
    case 'mediumint':
    case 'year':
      return 'integer'
    case 'int':
      return isUnsigned ? 'bigint' : 'integer'
    case 'bigint':
      return isUnsigned ? 'numeric(0)' : 'bigint'
    case 'decimal':
      return `numeric(${numericOfTypmod(type.typmod)?.scale ?? 0})`
    case 'datetime':
      return 'timestamp'
    case 'timestamp':
      return 'timestamptz'
    case 'json':
      // MariaDB stores documents as text.
      return charset === undefined ? 'json' : 'longtext'
    case 'binary':
      return 'char of bytes'
    case 'varbinary':
      return 'varchar of bytes'
    case 'char':
    case 'enum':
    case 'set':
    case 'uuid':
    case 'inet4':
    case 'inet6':
      return 'char'
    case 'tinytext':
    case 'mediumtext':
      return 'text'
    case 'tinyblob':
    case 'blob':
    case 'mediumblob':
      return 'text of bytes'
    case 'longblob':
      return 'longtext of bytes'
    default:
      return dataType
  }
}

/** The values of a reported type for clients. Documents of MariaDB are text, and a UUID in a CHAR is text. */
export function reportedCell(column: DescribedColumn): CellKind {
  const type = reportedType(column)
  switch (type) {
    case 'boolean':
    case 'integer':
    case 'bigint':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return { kind: type }
    case 'bit':
      return { kind: 'boolean' }
    case 'bits':
      return { kind: 'bytes' }
    case 'float':
      return { kind: 'float4' }
    case 'double':
      return { kind: 'float8' }
    case 'json':
      return { kind: 'jsonb' }
    default:
      if (type.startsWith('numeric')) return { kind: 'decimal', scale: column.decimals }
      return { kind: type.endsWith('of bytes') ? 'bytes' : 'text' }
  }
}
