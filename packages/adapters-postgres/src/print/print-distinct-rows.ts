/**
 * @module DISTINCT whole rows as arguments of aggregates: `json_agg(distinct t)`, `count(distinct t)`. The rows are compared, and
 * sorted, as rows of their cells, whose fields have PostgreSQL's own names; JSON objects get the client's names afterwards:
 *
 *     json_agg(distinct t)   -->   (select json_agg(('{"id":' || e.c1 -> 'f1' || '}')::json order by e.c2)
 *                                   from json_array_elements(json_agg(distinct row(t1.c1))) with ordinality as e(c1, c2))
 */
import {
  type Aggregate,
  clauses,
  commaList,
  integer,
  type Sql,
  sql,
  type WholeRow,
} from '@engine/core/adapter'
import { type PrintContext, relationOf } from './print-context.ts'
import { objectOf, wholeRowRefusal } from './print-whole-row.ts'

/** @throws {GatewayError} `unsupported` for aggregates of other values together with the row. */
export function printDistinctRows(
  { function: called, args, orderBy, position }: Aggregate,
  filter: Sql | undefined,
  context: PrintContext,
): Sql {
  const [row, another] = args
  const { name, schema } = called
  const isOther = another !== undefined || orderBy.length > 0 || schema !== undefined
  if (row?.kind !== 'wholeRow' || isOther) throw wholeRowRefusal(`${name} with DISTINCT`, position)
  const cells = rowOfCells(row, context)
  switch (name) {
    case 'count':
      return clauses(sql`pg_catalog.count(distinct ${cells})`, filter)
    case 'json_agg':
      return sql`(select pg_catalog.json_agg(${namedRows(row, cells, filter)})`
    case 'jsonb_agg':
      return sql`(select pg_catalog.jsonb_agg(${namedRows(row, cells, filter)})`
    default:
      throw wholeRowRefusal(`${name} with DISTINCT`, position)
  }
}

/** The row as a record; NULL for a null-extended row of an outer join. */
export function rowOfCells({ fields, relation }: WholeRow, context: PrintContext): Sql {
  const cells = fields.map(({ value }) => context.printExpression(value, context))
  const isPresent = relationOf(relation, context).isPresent()
  return sql`(case when ${isPresent} then row(${commaList(cells)}) end)`
}

/** The rest of the aggregate over the objects, from its argument on. */
function namedRows(row: WholeRow, cells: Sql, filter: Sql | undefined): Sql {
  const distinct = clauses(sql`pg_catalog.json_agg(distinct ${cells})`, filter)
  const object = objectOf(row, (_, index) => sql`(e.c1 -> 'f${integer(index + 1)}')`)
  const value = sql`case when pg_catalog.json_typeof(e.c1) = 'object' then ${object} end`
  return sql`${value} order by e.c2) from pg_catalog.json_array_elements(${distinct}) with ordinality as e(c1, c2)`
}
