/** @module Functions in FROM: JSON_TABLE converts lists to rows. */

import type { SqlType } from '@engine/core/catalog'
import { columnName, queryOf, rowsOfQuery, type Sql, sql } from '@engine/core/print'
import {
  type FunctionCall,
  type FunctionItem,
  freeRelationsOf,
  type Query,
} from '@engine/core/tree'
import { elementColumn, elementValue } from '../expression/array/array-element.ts'
import { jsonTable } from '../expression/json/json-table.ts'
import {
  aliasOf,
  anyValue,
  classOfType,
  type PrintContext,
  type PrintedColumn,
  print,
  refuse,
  tableText,
} from '../print-context.ts'
import { type JsonRows, printConstantRows, printJsonTable } from './json-rows.ts'
import { documentRows, type JsonList } from './print-document-rows.ts'
import { printSeries } from './print-series.ts'

export interface PrintedFunctionItem {
  /** With its alias. */
  readonly sql: Sql
  readonly column: (index: number) => PrintedColumn
}

export function printFunctionItem(item: FunctionItem, context: PrintContext): PrintedFunctionItem {
  const { call: expression } = item
  if (expression.kind === 'call' && expression.function.returnsSet) {
    return expression.function === rowsOfQuery
      ? printRowsOfQuery(item, queryOf(expression), context)
      : printSet(item, expression, context)
  }
  return printSingleRow(item, context)
}

/** A function that returns one value, as a table of one row. */
function printSingleRow(item: FunctionItem, context: PrintContext): PrintedFunctionItem {
  const { call: expression, withOrdinality } = item
  const alias = aliasOf(item.id, context)
  const query = selectOf(expression)
  const { derivedSeesOutside, hasLateral } = context.traits
  if (withOrdinality || (!derivedSeesOutside && freeRelationsOf(expression).size > 0)) {
    return printJsonTable(rowsOf(query, context), [expression.type], alias, context)
  }
  const { sql: text, columns } = context.printQuery(query, context, 'value')
  const lateral = hasLateral ? sql`lateral ` : sql``
  return {
    sql: sql`${lateral}(${text}) as ${alias}`,
    column: (index) => ({
      ...(columns[index] ?? anyValue),
      sql: sql`${alias}.${columnName(index)}`,
      isBare: false,
    }),
  }
}

function selectOf(expression: FunctionItem['call']): Query {
  return {
    kind: 'select',
    ctes: [],
    columns: [{ name: '', type: expression.type }],
    outputs: [expression],
    distinct: 'none',
    from: [],
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}

function printRowsOfQuery(
  item: FunctionItem,
  query: Query,
  context: PrintContext,
): PrintedFunctionItem {
  const rows = rowsOf(query, context)
  const types = query.columns.map(({ type }) => type)
  return printJsonTable(rows, types, aliasOf(item.id, context), context)
}

function rowsOf(query: Query, context: PrintContext): JsonRows {
  const rows = printConstantRows(query, context)
  if (rows !== undefined) return rows
  const { sql: list, columns } = context.printQuery(query, context, 'list')
  return { sql: sql`(${list})`, columns }
}

function printSet(
  item: FunctionItem,
  expression: FunctionCall,
  context: PrintContext,
): PrintedFunctionItem {
  const { name, signature } = expression.function
  switch (name) {
    case 'generate_series':
      return printSeries(item, expression, context)
    case 'unnest':
      return printUnnest(item, expression, context)
    default: {
      const list = documentRows(expression, context)
      return list === undefined
        ? refuse(`the function ${signature} in FROM`, expression.position)
        : listItem(item, list.list, context, list.column)
    }
  }
}

function printUnnest(
  item: FunctionItem,
  expression: FunctionCall,
  context: PrintContext,
): PrintedFunctionItem {
  const [array] = expression.args
  const oid = context.types.elementTypeOid(array?.type.oid ?? expression.type.oid)
  if (array === undefined || oid === undefined || expression.args.length > 1) {
    return refuse('unnest of this value', expression.position)
  }
  const type: SqlType = { oid, typmod: -1 }
  const typeClass = classOfType(type, context)
  // Derived columns contain decimals without a common scale as text; long text would lose its bytes.
  const target =
    typeClass === 'bytea' ? tableText(context) : elementColumn(type, context, expression.position)
  const list: JsonList = { value: print(array, context), target }
  return listItem(item, list, context, (cell) =>
    typeClass === 'numeric' ? cell : elementValue(cell, type, context),
  )
}

/** Rows of a JSON array, in its order. */
function listItem(
  item: FunctionItem,
  { value, target }: JsonList,
  context: PrintContext,
  cellAt: (cell: Sql, index: number) => Sql,
): PrintedFunctionItem {
  const alias = aliasOf(item.id, context)
  const columns = sql`o for ordinality, c1 ${target} path '$' error on error`
  const width = item.columns.length - (item.withOrdinality ? 1 : 0)
  return {
    sql: jsonTable(value, columns, alias, context),
    column: (index) =>
      index >= width
        ? { ...anyValue, isNullable: false, sql: sql`${alias}.o`, isBare: false }
        : { ...anyValue, sql: cellAt(sql`${alias}.c1`, index), isBare: false },
  }
}
