/** @module Types that the configuration gives columns: only whether a CHAR(36) holds UUIDs is left open by the database. */
import type { ColumnTypeFault, ConfiguredTypes } from '@engine/core/adapter'
import type { ColumnRow } from './catalog-queries.ts'
import { isChar36 } from './sample-uuids.ts'

/** Is the column said to hold UUIDs, or not to? Undefined where nothing is said. */
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
