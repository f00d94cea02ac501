/** @module Functions in FROM. Functions that return rows become json_each over a list, or a function of the adapter. */

import { GatewayError } from '@engine/core/adapter'
import { oids, type SqlType } from '@engine/core/catalog'
import { columnName, integer, queryOf, rowsOfQuery, type Sql, sql } from '@engine/core/print'
import type { FunctionCall, FunctionItem } from '@engine/core/tree'
import { elementJson, elementOfJson } from '../expression/forms/array-element.ts'
import { concatenation } from '../expression/forms/json-form.ts'
import {
  aliasOf,
  anyValue,
  call,
  classOfType,
  type PrintContext,
  type PrintedColumn,
  print,
  refuse,
} from '../print-context.ts'

export interface PrintedFunctionItem {
  /** With its alias. */
  readonly sql: Sql
  readonly column: (index: number) => PrintedColumn
  readonly tickColumn: Sql | undefined
}

export function printFunctionItem(item: FunctionItem, context: PrintContext): PrintedFunctionItem {
  const { call: expression } = item
  if (expression.kind === 'call' && expression.function.returnsSet) {
    return expression.function === rowsOfQuery
      ? printRowsOfQuery(item, expression, context)
      : printRows(item, expression, context)
  }
  const alias = aliasOf(item.id, context)
  if (item.withOrdinality) return refuse('WITH ORDINALITY of this function', expression.position)
  return {
    sql: sql`(select ${print(expression, context)} as ${columnName(0)}) as ${alias}`,
    column: (index) => plainColumn(sql`${alias}.${columnName(index)}`),
    tickColumn: undefined,
  }
}

function plainColumn(value: Sql): PrintedColumn {
  return { ...anyValue, sql: value, isBare: false }
}

/** Every row as a JSON array of its columns, which `json_each` unfolds again. */
function printRowsOfQuery(
  item: FunctionItem,
  expression: FunctionCall,
  context: PrintContext,
): PrintedFunctionItem {
  const query = queryOf(expression)
  const [rows, alias] = [aliasOf(context.nextId(), context), aliasOf(item.id, context)]
  const printed = context.printQuery(query, context, 'value').sql
  const cells = query.columns.flatMap(({ type }, index) => [
    index === 0 ? sql`'['` : sql`','`,
    cellJson(sql`${rows}.${columnName(index)}`, type, context),
  ])
  const cell = query.columns.length === 0 ? sql`'[]'` : concatenation([...cells, sql`']'`])
  const list = sql`(select '[' || group_concat(${cell}, ',') || ']' from (${printed}) as ${rows})`
  return {
    sql: sql`json_each(${list}) as ${alias}`,
    column: (index) => {
      const type = query.columns[index]?.type ?? item.columns[index]?.type
      if (type === undefined) throw new GatewayError('internal', 'a column of a list is missing')
      const value = sql`(${alias}.value ->> ${integer(index)})`
      return plainColumn(cellOfJson(value, type, context))
    },
    tickColumn: sql`${alias}.key`,
  }
}

function cellJson(value: Sql, type: SqlType, context: PrintContext): Sql {
  return classOfType(type, context) === 'array' || classOfType(type, context) === 'record'
    ? call('json_quote', value)
    : elementJson(value, type, context, undefined)
}

function cellOfJson(value: Sql, type: SqlType, context: PrintContext): Sql {
  const typeClass = classOfType(type, context)
  return typeClass === 'array' || typeClass === 'record'
    ? value
    : elementOfJson(value, type, context, undefined)
}

function printRows(
  item: FunctionItem,
  expression: FunctionCall,
  context: PrintContext,
): PrintedFunctionItem {
  const alias = aliasOf(item.id, context)
  const args = expression.args.map((each) => print(each, context))
  const { name } = expression.function
  const series = name === 'generate_series' ? seriesCall(expression, args, context) : undefined
  if (series !== undefined) {
    return {
      sql: sql`${series} as ${alias}`,
      column: (index) => plainColumn(index === 0 ? sql`${alias}.value` : sql`${alias}.position`),
      tickColumn: sql`${alias}.value`,
    }
  }
  const list = listCall(expression, args, context)
  const width = item.columns.length - (item.withOrdinality ? 1 : 0)
  return {
    sql: sql`json_each(${list.values}) as ${alias}`,
    column: (index) => {
      if (item.withOrdinality && index === width) return plainColumn(sql`(${alias}.key + 1)`)
      return plainColumn(list.column(alias, index))
    },
    tickColumn: sql`${alias}.key`,
  }
}

function seriesCall(
  expression: FunctionCall,
  args: readonly Sql[],
  context: PrintContext,
): Sql | undefined {
  const [first = sql`null`, last = sql`null`, step] = args
  switch (classOfType(expression.type, context)) {
    case 'int4':
      return call('integer_series', first, last, step ?? sql`1`, sql`32`)
    case 'int8':
      return call('integer_series', first, last, step ?? sql`1`, sql`64`)
    case 'numeric':
      return call('decimal_series', first, last, step ?? sql`'1'`)
    case 'timestamp':
    case 'timestamptz':
      return call('moment_series', first, last, step ?? sql`null`)
    default:
      return undefined
  }
}

/** A JSON array of the rows, and the form of a row in it. */
interface ListCall {
  readonly values: Sql
  readonly column: (alias: Sql, index: number) => Sql
}

function listCall(expression: FunctionCall, args: readonly Sql[], context: PrintContext): ListCall {
  const whole = (values: Sql): ListCall => ({ values, column: (alias) => sql`${alias}.value` })
  const pairs = (values: Sql): ListCall => ({
    values,
    column: (alias, index) => sql`(${alias}.value ->> ${integer(index)})`,
  })
  switch (expression.function.name) {
    case 'unnest': {
      const [array] = expression.args
      const elementOid = context.types.elementTypeOid(array?.type.oid ?? oids.any)
      if (elementOid === undefined || args.length !== 1) {
        return refuse('unnest of several arrays', expression.position)
      }
      const type: SqlType = { oid: elementOid, typmod: -1 }
      return {
        values: call('array_flat', ...args),
        column: (alias) => elementOfJson(sql`${alias}.value`, type, context, expression.position),
      }
    }
    case 'json_array_elements':
    case 'jsonb_array_elements':
      return whole(call('pg_json_elements', ...args))
    case 'json_array_elements_text':
    case 'jsonb_array_elements_text':
      return whole(call('pg_json_elements_text', ...args))
    case 'json_each':
    case 'jsonb_each':
      return pairs(call('pg_json_entries', ...args))
    case 'json_each_text':
    case 'jsonb_each_text':
      return pairs(call('pg_json_entries_text', ...args))
    case 'json_object_keys':
    case 'jsonb_object_keys':
      return whole(call('pg_json_keys', ...args))
    case 'regexp_split_to_table':
      if (args.length > 2) return refuse('flags of regexp_split_to_table', expression.position)
      return whole(call('pg_regexp_split_to_array', ...args))
    case 'string_to_table':
      return whole(call('text_split', ...args))
    default:
      return refuse(`the function ${expression.function.signature} in FROM`, expression.position)
  }
}
