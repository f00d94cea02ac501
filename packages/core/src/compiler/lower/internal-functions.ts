/** @module Functions that lowering adds for the printer where the tree has no node for an operation. Recognized by identity. */

import { oids } from '../sql-types/oids.ts'
import type { Oid, PgFunction } from '../sql-types/pg-type.ts'

/**
 * `call(singleRow, [subquery])`: the value of a scalar subquery that may return several rows, which is an error (SQLSTATE 21000).
 */
export const singleRow: PgFunction = internalFunction('single_row', false)

/**
 * In FROM, `call(rowsOfQuery, [subquery])`: the rows of a query that refers to items on its left, in its order. The
 * query may have any number of columns and rows; the item's columns are those of the query.
 */
export const rowsOfQuery: PgFunction = internalFunction('rows_of_query', true)

/**
 * `call(rowLimit, [count, isOffset])`: the number of rows of a LIMIT or OFFSET, an int8 that is not NULL: no limit is a very
 * large number. A negative one is an error (SQLSTATE 2201W, 2201X).
 */
export const rowLimit: PgFunction = internalFunction('row_limit', false)

function internalFunction(name: string, returnsSet: boolean): PgFunction {
  const noOid: Oid = 0
  return {
    oid: noOid,
    name: `engine_${name}`,
    kind: 'function',
    argumentOids: [oids.record],
    defaultCount: 0,
    resultOid: oids.record,
    returnsSet,
    isStrict: false,
    volatility: 'stable',
    isLeakproof: false,
    canRaise: true,
    isAllowed: false,
    signature: `engine_${name}(record)`,
  }
}
