/** @module An adapter's report with its defaults. */
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import type { Column } from './catalog.ts'
import type {
  IntrospectedColumn,
  IntrospectedForeignKey,
  IntrospectedTable,
} from './introspection.ts'

/** A table as it was reported, with what the adapter left out. */
export interface CompleteTable extends IntrospectedTable {
  readonly columns: readonly Omit<Column, 'ordinal'>[]
  readonly primaryKey: readonly string[]
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly IntrospectedForeignKey[]
}

export function completeTable(table: IntrospectedTable, types: TypeSystem): CompleteTable {
  const { columns, primaryKey = [], uniqueKeys = [], foreignKeys = [] } = table
  return {
    ...table,
    primaryKey,
    uniqueKeys,
    foreignKeys,
    columns: columns.map((column) => completeColumn(column, types)),
  }
}

function completeColumn(column: IntrospectedColumn, types: TypeSystem): Omit<Column, 'ordinal'> {
  const { type, nullable = true, generated = 'no' } = column
  const { hasDefault = generated !== 'no' } = column
  const { nativeType = types.formatType(type.oid, type.typmod) } = column
  const { nativeDefault, collation, native, comment } = column
  const defaults = { nullable, hasDefault, generated, nativeType }
  return { ...column, ...defaults, nativeDefault, collation, native, comment }
}
