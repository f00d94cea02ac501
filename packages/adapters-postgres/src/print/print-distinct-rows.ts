/**
 * @module DISTINCT whole rows as arguments of aggregates: `json_agg(distinct t)`, `count(distinct t)`. The rows are compared, and
 * sorted, as rows of their cells, whose fields have PostgreSQL's own names; JSON objects get the client's names afterwards:
 *
 *     jsonb_agg(distinct t)  -->   (select jsonb_agg(('{"id":' || e.c1 -> 'f1' || '}')::json order by e.c2)
 *                                   from json_array_elements(json_agg(distinct row(t1.c1))) with ordinality as e(c1, c2))
 */

import { clauses, commaList, integer, type Sql, sql } from '@engine/core/print'
import type { Aggregate, WholeRow } from '@engine/core/tree'
import { type PrintContext, relationOf } from './print-context.ts'
import { arrayOfObjects, objectOf, objectsAsText, wholeRowRefusal } from './print-whole-row.ts'

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
      return namedRows(row, cells, filter, (object) =>
        arrayOfObjects(sql`pg_catalog.string_agg(${objectsAsText(object)} order by e.c2)`),
      )
    case 'jsonb_agg':
      return namedRows(row, cells, filter, (object) => {
        return sql`pg_catalog.jsonb_agg(${object} order by e.c2)`
      })
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

/** `aggregate` of the distinct rows as objects, in the order of `e.c2`. */
function namedRows(
  row: WholeRow,
  cells: Sql,
  filter: Sql | undefined,
  aggregate: (object: Sql) => Sql,
): Sql {
  const distinct = clauses(sql`pg_catalog.json_agg(distinct ${cells})`, filter)
  const object = objectOf(row, (_, index) => sql`(e.c1 -> 'f${integer(index + 1)}')`)
  const value = sql`(case when pg_catalog.json_typeof(e.c1) = 'object' then ${object} end)`
  return sql`(select ${aggregate(value)} from pg_catalog.json_array_elements(${distinct}) with ordinality as e(c1, c2))`
}
