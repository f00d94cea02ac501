/** @module Functions in FROM: lists become rows by JSON_TABLE. */
import {
  columnName,
  type FunctionCall,
  type FunctionItem,
  freeRelationsOf,
  GatewayError,
  type Query,
  type Sql,
  type SqlType,
  sql,
} from '@engine/core'
import { rowsOfQuery } from '@engine/core/lower'
import {
  columnType,
  type JsonRows,
  printConstantRows,
  printJsonTable,
  textColumn,
} from './json-rows.ts'
import {
  aliasOf,
  anyValue,
  classOfType,
  isMariaDb,
  type PrintContext,
  type PrintedColumn,
  print,
  refuse,
} from './print-context.ts'
import { printSeries } from './print-series.ts'
import { raiseState } from './raise.ts'

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

/** A function that gives one value, as a table of one row. */
function printSingleRow(item: FunctionItem, context: PrintContext): PrintedFunctionItem {
  const { call: expression, withOrdinality } = item
  const alias = aliasOf(item.id, context)
  const query = selectOf(expression)
  if (withOrdinality || (isMariaDb(context) && freeRelationsOf(expression).size > 0)) {
    return printJsonTable(rowsOf(query, context), [expression.type], alias, context)
  }
  const { sql: text, columns } = context.printQuery(query, context, 'value')
  const lateral = isMariaDb(context) ? sql`` : sql`lateral `
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

function queryOf(expression: FunctionCall): Query {
  const [subquery] = expression.args
  if (subquery?.kind !== 'subquery') throw new GatewayError('internal', 'rows of no query')
  return subquery.query
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
    case 'json_array_elements':
    case 'jsonb_array_elements':
      return printElements(item, expression, context)
    default:
      return refuse(`the function ${signature} in FROM`, expression.position)
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
  const isTrue = classOfType(type, context) === 'bool'
  const target = isTrue ? textColumn(context) : elementColumn(type, context)
  return listItem(item, print(array, context), target, context, (value) =>
    elementValue(value, type, context, expression.position),
  )
}

/** Elements are numbers or text; what is neither, text stands for. */
function elementColumn(type: SqlType, context: PrintContext): Sql {
  const typeClass = classOfType(type, context)
  return typeClass === 'timestamptz' ? textColumn(context) : columnType(type, undefined, context)
}

function elementValue(
  value: Sql,
  type: SqlType,
  context: PrintContext,
  position: number | undefined,
): Sql {
  switch (classOfType(type, context)) {
    case 'bool':
      return sql`(${value} = 'true')`
    case 'bytea':
      return sql`unhex(${value})`
    case 'timestamptz':
      return sql`cast(left(${value}, char_length(${value}) - 3) as datetime(6))`
    case 'array':
    case 'record':
    case 'interval':
    case 'other':
      return refuse('unnest of an array of this type', position)
    default:
      return value
  }
}

function printElements(
  item: FunctionItem,
  expression: FunctionCall,
  context: PrintContext,
): PrintedFunctionItem {
  const [document] = expression.args
  if (document === undefined) return refuse('a list of nothing', expression.position)
  const text = print(document, context)
  const list = sql`case json_type(${text}) when 'ARRAY' then ${text} when null then null else ${raiseState('22023')} end`
  return listItem(item, list, sql`json`, context, (value) => value)
}

/** Rows of a JSON array, in its order. */
function listItem(
  item: FunctionItem,
  list: Sql,
  target: Sql,
  context: PrintContext,
  convert: (cell: Sql) => Sql,
): PrintedFunctionItem {
  const alias = aliasOf(item.id, context)
  const columns = sql`o for ordinality, c1 ${target} path '$' error on error`
  const width = item.columns.length - (item.withOrdinality ? 1 : 0)
  return {
    sql: sql`json_table(${list}, '$[*]' columns (${columns})) as ${alias}`,
    column: (index) =>
      index >= width
        ? { ...anyValue, isNullable: false, sql: sql`${alias}.o`, isBare: false }
        : { ...anyValue, sql: convert(sql`${alias}.c1`), isBare: false },
  }
}
