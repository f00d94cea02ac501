/** @module Keys by which the rows of a table are found again. */

import { type Column, oids, type Table } from '@engine/core/catalog'
import { columnAt, identifier, joinSql, memberName, type Sql, sql } from '@engine/core/print'
import { generatedKeyName, type MysqlColumnNative } from '../../introspection/native-column.ts'
import { binaryCollation, classOfType, type PrintContext, refuse } from '../print-context.ts'
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
  const [first] = rowKeysOf(table)
  return first ?? refuse(`this write to "${table.name}", which has no primary key,`, undefined)
}

/** All keys of a table, the primary key first. @throws {GatewayError} as `rowKeyOf`. */
export function rowKeysOf(table: Table): readonly RowKey[] {
  const isNotNull = (ordinal: number) => !columnAt(table, ordinal).nullable
  const uniqueKeys = table.uniqueKeys.filter((ordinals) => ordinals.every(isNotNull))
  const keys = table.primaryKey.length > 0 ? [table.primaryKey, ...uniqueKeys] : uniqueKeys
  const columns = keys.map((ordinals) => ordinals.map((ordinal) => columnAt(table, ordinal)))
  const all = table.columns.some((column) => nativeOf(column).besideGeneratedKey === true)
    ? [...columns, [generatedKey]]
    : columns
  const usable = all.filter((key) => key.every((column) => nativeOf(column).dataType !== 'bit'))
  if (all.length > 0 && usable.length === 0) {
    return refuse(`this write to "${table.name}", which has a key of bits,`, undefined)
  }
  return usable.map(keyOver)
}

function keyOver(columns: readonly Column[]): RowKey {
  return {
    columns,
    parts: (alias) => columns.map((column) => sql`${alias}.${identifier(column.name)}`),
  }
}

/** The server's own key of a table without one; no column of the table has its ordinal. */
const generatedKey: Column = {
  name: generatedKeyName,
  ordinal: -1,
  type: { oid: oids.int8, typmod: -1 },
  nullable: false,
  hasDefault: true,
  generated: 'always',
  nativeType: 'bigint unsigned',
  nativeDefault: undefined,
  collation: undefined,
  native: { dataType: 'bigint', isUnsigned: false, isAutoIncrement: true },
  comment: undefined,
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
  return sql`(${inCharset(padless, charset, context)} collate ${memberName(collation)})`
}

/** NULL for a text with a character that the set does not have: no stored text is equal to it. */
function inCharset(text: Sql, charset: string, context: PrintContext): Sql {
  if (charset === 'utf8mb4') return text
  const converted = sql`convert(${text} using ${memberName(charset)})`
  if (!context.traits.faults.convertsToQuestionMarks || wholeUnicode.has(charset)) return converted
  const back = sql`(convert(${converted} using utf8mb4) collate ${binaryCollation(context)})`
  return sql`case when ${back} = ${text} then ${converted} end`
}

const wholeUnicode: ReadonlySet<string> = new Set(['utf16', 'utf16le', 'utf32'])

/** The findings of introspection about a column. */
export function nativeOf(column: Column): Partial<MysqlColumnNative> {
  return (column.native ?? {}) as Partial<MysqlColumnNative>
}
