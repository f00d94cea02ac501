/** @module The width of an integer column: as declared, as configured, or as wide as the stored values. */
import type { ColumnTypeFault, ConfiguredTypes } from '@engine/core/adapter'
import { type DeclaredTypeName, declaredType } from './declared-type.ts'
import type { ColumnSample, TableFacts } from './schema-facts.ts'

export type IntRange = NonNullable<ColumnSample['integers']>

/** Names in the configuration. */
const intTypes: ReadonlyMap<string, DeclaredTypeName> = new Map<string, DeclaredTypeName>([
  ['smallint', 'int2'],
  ['integer', 'int4'],
  ['bigint', 'int8'],
])

/** The configured type of a column; undefined without one, or where it is not a type that a column can have. */
export function configuredType(
  columnTypes: ConfiguredTypes,
  table: string,
  column: string,
): DeclaredTypeName | undefined {
  const types = Object.hasOwn(columnTypes, table) ? columnTypes[table] : undefined
  const name = types !== undefined && Object.hasOwn(types, column) ? types[column] : undefined
  return name === undefined ? undefined : intTypes.get(name)
}

/** Configured types without effect: only the width of integers can be configured, all other types are declared. */
export function columnTypeFaults(
  tables: readonly TableFacts[],
  columnTypes: ConfiguredTypes,
): readonly ColumnTypeFault[] {
  const isInt = (declaration: string) =>
    [...intTypes.values()].includes(declaredType(declaration).name)
  return tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name: column, declaredType: declaration }): readonly ColumnTypeFault[] => {
      const types = Object.hasOwn(columnTypes, table) ? columnTypes[table] : undefined
      if (types === undefined || !Object.hasOwn(types, column)) return []
      if (configuredType(columnTypes, table, column) === undefined) {
        return [{ table, column, message: 'expects smallint, integer or bigint' }]
      }
      if (isInt(declaration)) return []
      const message = `the column is declared as ${declaration || 'nothing'}: only that of an integer can be chosen`
      return [{ table, column, message }]
    }),
  )
}

/** All integers have 64 bits in SQLite: a type that is too small for the stored values is replaced by a larger one. */
export function intTypeFor(
  name: DeclaredTypeName,
  integers: IntRange | undefined,
): DeclaredTypeName {
  if (integers === undefined) return name
  const fits = (bits: bigint) =>
    integers.min >= -(1n << (bits - 1n)) && integers.max < 1n << (bits - 1n)
  if (name === 'int2' && fits(16n)) return name
  if ((name === 'int2' || name === 'int4') && !fits(32n)) return 'int8'
  return name === 'int2' ? 'int4' : name
}
