/**
 * @module Rows as one value: a JSON array of rows, each an array of cells. JSON_TABLE converts it back to rows, and sees the
 * items on its left, which no derived table of MariaDB does.
 */

import type { SqlType } from '@engine/core/catalog'
import { columnName, commaList, integer, type Sql, sql } from '@engine/core/print'
import type { Expression, Query } from '@engine/core/tree'
import { exportForm } from '../expression/forms/export-form.ts'
import { jsonTable } from '../expression/json/json-table.ts'
import { printFilter } from '../expression/print-filter.ts'
import {
  anyValue,
  binaryCollation,
  classOfType,
  type PrintContext,
  type PrintedColumn,
  tableText,
  type ValueProperties,
} from '../print-context.ts'
import { propertiesOf } from '../value-properties.ts'

export interface JsonRows {
  /** NULL or an empty array where there are no rows. */
  readonly sql: Sql
  readonly columns: readonly ValueProperties[]
}

/** Rows of expressions alone, without a query; undefined for all other queries. */
export function printConstantRows(query: Query, context: PrintContext): JsonRows | undefined {
  if (query.kind === 'select' && query.where !== undefined && query.from.length === 0) {
    const rows = printConstantRows({ ...query, where: undefined }, context)
    // A subquery without FROM would not see derived tables on the left.
    return (
      rows && {
        ...rows,
        sql: sql`case when ${printFilter(query.where, context)} then ${rows.sql} end`,
      }
    )
  }
  const rows = constantRows(query)
  if (rows === undefined) return undefined
  const printed = rows.map((row) => printRow(row, context))
  return {
    sql: sql`json_array(${commaList(printed.map((each) => each.sql))})`,
    columns: commonColumns(printed.map((each) => each.columns)),
  }
}

/** `select 1, a union all select 2, b`: rows without a table. */
function constantRows(query: Query): readonly (readonly Expression[])[] | undefined {
  switch (query.kind) {
    case 'select':
      return query.from.length === 0 && query.where === undefined && !query.isAggregated
        ? [query.outputs]
        : undefined
    case 'values':
      return query.rows
    case 'setOperation': {
      const [left, right] = [constantRows(query.left), constantRows(query.right)]
      const isList = query.operator === 'union' && query.all
      return isList && left !== undefined && right !== undefined ? [...left, ...right] : undefined
    }
  }
}

export function printRow(outputs: readonly Expression[], context: PrintContext): JsonRows {
  return {
    sql: sql`json_array(${commaList(outputs.map((each) => cellOf(each, context)))})`,
    columns: outputs.map((each) => {
      const { scale, isNullable } = propertiesOf(each, context)
      return { stored: undefined, scale, isNullable }
    }),
  }
}

function commonColumns(rows: readonly (readonly ValueProperties[])[]): readonly ValueProperties[] {
  const [first = []] = rows
  return first.map((properties, index) => {
    const isSame = rows.every((row) => row[index]?.scale === properties.scale)
    return { ...anyValue, scale: isSame ? properties.scale : undefined }
  })
}

/** Numbers and booleans of JSON stay; all other values become strings. */
function cellOf(expression: Expression, context: PrintContext): Sql {
  const value = exportForm(expression, context)
  switch (classOfType(expression.type, context)) {
    case 'bool':
      return sql`cast(${value} as signed)`
    case 'bytea':
      return sql`hex(${value})`
    case 'json':
    case 'jsonb':
    case 'array':
    case 'record':
      return sql`concat(${value}, '')`
    default:
      return value
  }
}

/** `json_table(<list>, '$[*]' columns (c1 bigint path '$[0]' ...)) as <alias>` */
export function printJsonTable(
  { sql: list, columns }: JsonRows,
  types: readonly SqlType[],
  alias: Sql,
  context: PrintContext,
): { readonly sql: Sql; readonly column: (index: number) => PrintedColumn } {
  const defined = types.map((type, index) => {
    const target = columnType(type, columns[index]?.scale, context)
    return sql`${columnName(index)} ${target} path '$[${integer(index)}]' error on error`
  })
  const all = [sql`o for ordinality`, ...defined]
  return {
    sql: jsonTable(list, commaList(all), alias, context),
    column: (index) => {
      const type = types[index]
      if (type === undefined) return { ...anyValue, sql: sql`${alias}.o`, isBare: false }
      const value = sql`${alias}.${columnName(index)}`
      const isBytes = classOfType(type, context) === 'bytea'
      return {
        ...(columns[index] ?? anyValue),
        sql: isBytes ? sql`unhex(${value})` : value,
        isBare: false,
      }
    },
  }
}

/** The type of a column of JSON_TABLE in which cells of a type are read. */
export function columnType(type: SqlType, scale: number | undefined, context: PrintContext): Sql {
  switch (classOfType(type, context)) {
    case 'bool':
      return sql`tinyint`
    case 'int2':
    case 'int4':
    case 'int8':
      return sql`bigint`
    case 'float4':
    case 'float8':
      return sql`double`
    case 'date':
      return sql`date`
    case 'time':
      return sql`time(6)`
    case 'timestamp':
    case 'timestamptz':
      return sql`datetime(6)`
    case 'numeric':
      return scale === undefined ? textColumn(context) : sql`decimal(65, ${integer(scale)})`
    case 'bytea':
      // When it sorts, the server returns no bytes from LONGTEXT.
      return tableText(context)
    default:
      return textColumn(context)
  }
}

export function textColumn(context: PrintContext): Sql {
  return sql`longtext character set utf8mb4 collate ${binaryCollation(context)}`
}
