/** @module Types of columns from the configuration: the database leaves open only whether a CHAR(36) holds UUIDs. */
import type { ColumnTypeFault, ConfiguredTypes } from '@engine/core/adapter'
import type { ColumnRow } from './catalog-queries.ts'
import { isChar36 } from './sample-uuids.ts'

/** Is the column configured as a UUID, or as a text? Undefined without configuration. */
export function configuredType(
  columnTypes: ConfiguredTypes,
  column: ColumnRow,
): boolean | undefined {
  const name = typeNameOf(columnTypes, column)
  return name === 'uuid' || name === 'char(36)' ? name === 'uuid' : undefined
}

export function columnTypeFaults(
  columnTypes: ConfiguredTypes,
  columns: readonly ColumnRow[],
): readonly ColumnTypeFault[] {
  return columns.flatMap((column): readonly ColumnTypeFault[] => {
    if (typeNameOf(columnTypes, column) === undefined) return []
    const at = { table: column.table, column: column.name }
    if (!isChar36(column)) {
      const message = `the column is a ${column.columnType}: only that of a char(36) can be chosen`
      return [{ ...at, message }]
    }
    const isKnown = configuredType(columnTypes, column) !== undefined
    return isKnown ? [] : [{ ...at, message: 'expects uuid or char(36)' }]
  })
}

function typeNameOf(columnTypes: ConfiguredTypes, { table, name }: ColumnRow): string | undefined {
  const types = Object.hasOwn(columnTypes, table) ? columnTypes[table] : undefined
  return types !== undefined && Object.hasOwn(types, name) ? types[name] : undefined
}
