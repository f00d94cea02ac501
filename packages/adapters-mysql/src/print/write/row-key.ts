/** @module Keys by which the rows of a table are found again. */

import {
  type Column,
  columnAt,
  identifier,
  joinSql,
  memberName,
  type Sql,
  sql,
  type Table,
} from '@engine/core/adapter'
import type { MysqlColumnNative } from '../../native-column.ts'
import { classOfType, type PrintContext, refuse } from '../print-context.ts'
import { tableName } from '../query/base-table.ts'
import type { MaterializedRows } from './materialized-rows.ts'

/** Columns that are never NULL and together identify a row. */
export interface RowKey {
  readonly columns: readonly Column[]
  /** Under the table's alias. */
  readonly parts: (alias: Sql) => readonly Sql[]
}

/** @throws {GatewayError} `unsupported` for tables without a key. */
export function rowKeyOf(table: Table): RowKey {
  const isNotNull = (ordinal: number) => !columnAt(table, ordinal).nullable
  const unique = table.uniqueKeys.find((ordinals) => ordinals.every(isNotNull))
  const ordinals = table.primaryKey.length > 0 ? table.primaryKey : unique
  if (ordinals === undefined) {
    return refuse(`this write to "${table.name}", which has no primary key,`, undefined)
  }
  const columns = ordinals.map((ordinal) => columnAt(table, ordinal))
  if (columns.some((column) => nativeOf(column).dataType === 'bit')) {
    return refuse(`this write to "${table.name}", which has a key of bits,`, undefined)
  }
  return {
    columns,
    parts: (alias) => columns.map((column) => sql`${alias}.${identifier(column.name)}`),
  }
}

/** `alias.id = kept.c1 and ...`: the row with the key that begins at column `from` of the kept row. */
export function isMaterializedRow(
  key: RowKey,
  alias: Sql,
  kept: MaterializedRows,
  from: number,
  context: PrintContext,
): Sql {
  const values = key.columns.map((_, index) => kept.column(from + index).sql)
  return hasKey(key.columns, values, alias, context)
}

/** The table with an alias and an index hint: otherwise a small table would be scanned, and all of its rows locked. */
export function tableByKey(table: Table, columns: readonly Column[], alias: Sql): Sql {
  const named = sql`${tableName(table)} as ${alias}`
  const index = nativeOf(columns[0] ?? columnAt(table, 0)).uniqueIndexes?.find((name) =>
    table.columns.every(
      (column) => columns.includes(column) === nativeOf(column).uniqueIndexes?.includes(name),
    ),
  )
  return index === undefined ? named : sql`${named} force index (${identifier(index)})`
}

/** `alias."a" = value and ...` */
export function hasKey(
  columns: readonly Column[],
  values: readonly Sql[],
  alias: Sql,
  context: PrintContext,
): Sql {
  const conditions = columns.map((column, index) =>
    equalsColumn(column, alias, values[index] ?? sql`null`, context),
  )
  return joinSql(conditions, ' and ')
}

/** `alias."c" = value` in the comparison of a unique index, so that the index is used. */
function equalsColumn(column: Column, alias: Sql, value: Sql, context: PrintContext): Sql {
  return sql`${alias}.${identifier(column.name)} = ${asCompared(column, value, context)}`
}

/** A value in the form of expressions as the unique index over a column compares it. */
export function asCompared(column: Column, value: Sql, context: PrintContext): Sql {
  const { charset, collation } = nativeOf(column)
  if (charset === undefined || collation === undefined) return value
  // CHAR columns store no blanks at the end.
  const padless = classOfType(column.type, context) === 'bpchar' ? sql`rtrim(${value})` : value
  const inCharset =
    charset === 'utf8mb4' ? padless : sql`convert(${padless} using ${memberName(charset)})`
  return sql`(${inCharset} collate ${memberName(collation)})`
}

/** The findings of introspection about a column. */
export function nativeOf(column: Column): Partial<MysqlColumnNative> {
  return (column.native ?? {}) as Partial<MysqlColumnNative>
}
