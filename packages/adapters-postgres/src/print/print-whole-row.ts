/**
 * @module Whole rows as JSON: `to_json(t)`, `json_agg(t)`. The field names come from clients, so the object is built
 * from bound texts instead of a row type. The text is the same as that of `row_to_json`.
 */

import type { GatewayError } from '@engine/core/adapter'
import { oids, type PgFunction, type SqlType } from '@engine/core/catalog'
import { joinSql, parameter, type Sql, sql } from '@engine/core/print'
import { type Expression, unsupportedConstruct, type WholeRow } from '@engine/core/tree'
import { type PrintContext, relationOf } from './print-context.ts'

/** A function call with a whole row among its arguments. */
export interface WholeRowCall {
  /** All arguments, comma separated, or the value itself when it `replacesCall`. */
  readonly argument: Sql
  readonly replacesCall: boolean
}

/** Functions that convert a row to JSON: with JSON as the argument they give the same result. */
const jsonFunctions: ReadonlySet<string> = new Set([
  'json_agg',
  'json_build_array',
  'json_build_object',
  'json_object_agg',
  'jsonb_agg',
  'jsonb_build_array',
  'jsonb_build_object',
  'jsonb_object_agg',
  'to_jsonb',
])

/** Functions whose result shows the names of a row's fields, and `count`, which needs no fields. */
const rowFunctions: ReadonlySet<string> = new Set([
  ...jsonFunctions,
  'count',
  'row_to_json',
  'to_json',
])

/** Does the call need its whole row in another form than a record? */
export function takesWholeRow({ name, schema }: PgFunction, args: readonly Expression[]): boolean {
  const isOwn = schema === undefined && rowFunctions.has(name)
  return isOwn && args.some((argument) => argument.kind === 'wholeRow')
}

/**
 * @throws {GatewayError} `unsupported` where a row cannot be replaced by its JSON.
 */
export function printWholeRowCall(
  pgFunction: PgFunction,
  args: readonly Expression[],
  position: number | undefined,
  context: PrintContext,
): WholeRowCall {
  const [first] = args
  const { name } = pgFunction
  if (name === 'count' && first?.kind === 'wholeRow') {
    const isPresent = relationOf(first.relation, context).isPresent()
    return { argument: sql`case when ${isPresent} then 1 end`, replacesCall: false }
  }
  if ((name === 'to_json' || name === 'row_to_json') && first?.kind === 'wholeRow') {
    const lineFeeds = hasLineFeeds(args[1], position)
    return { argument: rowAsJson(first, context, lineFeeds), replacesCall: true }
  }
  const printed = args.map((argument) =>
    argument.kind === 'wholeRow'
      ? rowAsJson(argument, context)
      : context.printExpression(argument, context),
  )
  return { argument: joinSql(printed, ', '), replacesCall: false }
}

export function wholeRowRefusal(name: string, position: number | undefined): GatewayError {
  return unsupportedConstruct(`a whole row as an argument of ${name}`, 'PostgreSQL', position)
}

const textType: SqlType = { oid: oids.text, typmod: -1 }

/** The second argument of row_to_json. */
function hasLineFeeds(argument: Expression | undefined, position: number | undefined): boolean {
  if (argument === undefined) return false
  const value = argument.kind === 'constant' ? argument.value : null
  if (value === null) throw wholeRowRefusal('row_to_json with line feeds by a value', position)
  return value === 'true'
}

/** `{"id":1,"name":"Ada"}` as json, NULL for a null-extended row of an outer join. */
function rowAsJson(row: WholeRow, context: PrintContext, lineFeeds = false): Sql {
  const object = objectOf(
    row,
    ({ value }) => sql`pg_catalog.to_json(${context.printExpression(value, context)})`,
    lineFeeds ? ',\n ' : ',',
  )
  const isPresent = relationOf(row.relation, context).isPresent()
  return sql`(case when ${isPresent} then ${object} end)`
}

/** Is it `json_agg(t)`? PostgreSQL writes a line feed before each object but the first, and none before a null. */
export function aggregatesRows(
  { name, schema }: PgFunction,
  [row]: readonly Expression[],
): boolean {
  return name === 'json_agg' && schema === undefined && row?.kind === 'wholeRow'
}

/** The arguments of `string_agg` that make the text between the brackets, as `json_agg` of a row writes it. */
export function objectsAsText(object: Sql): Sql {
  return sql`coalesce(pg_catalog.chr(10) || ' ' || ${object}::pg_catalog.text, 'null'), ', '`
}

/** The array of objects that `string_agg` has joined. */
export function arrayOfObjects(joined: Sql): Sql {
  return sql`('[' || pg_catalog.ltrim(${joined}, pg_catalog.chr(10) || ' ') || ']')::pg_catalog.json`
}

/** An object with the names of the row's fields, of JSON values. */
export function objectOf(
  { fields }: WholeRow,
  cellOf: (field: WholeRow['fields'][number], index: number) => Sql,
  separator = ',',
): Sql {
  const cells = fields.map((field, index) => {
    const key = text(`${index === 0 ? '{' : separator}${JSON.stringify(field.name)}:`)
    const cell = cellOf(field, index)
    return sql`${key} || coalesce(${cell}::pg_catalog.text, ${text('null')})`
  })
  const parts = cells.length === 0 ? [text('{}')] : [...cells, text('}')]
  return sql`(${joinSql(parts, ' || ')})::pg_catalog.json`
}

function text(value: string): Sql {
  return sql`${parameter({ from: 'constant', value, type: textType })}::pg_catalog.text`
}
