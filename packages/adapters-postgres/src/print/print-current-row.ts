/** @module `WHERE CURRENT OF`: the row that is stored at a place, or the later version of it that the statement sees. */

import { GatewayError } from '@engine/core/adapter'
import { type Sql, sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'

/**
 * `(t1.tableoid = $2::oid and t1.ctid = any (array[$1::text::tid, (select currtid2(…))]))`
 *
 * The first place is that of the row when the cursor read it, which this transaction still sees unless a newer version replaced it;
 * the second one is that of the newest version. As a subquery it is computed once, so that PostgreSQL reads the row by its place.
 */
export function printCurrentRow({ args }: FunctionCall, context: PrintContext): Sql {
  const [tableOid, ctid, table, place] = args.map((each) => context.printExpression(each, context))
  if (tableOid === undefined || ctid === undefined || table === undefined || place === undefined) {
    throw new GatewayError('internal', 'the place of a row is incomplete')
  }
  const read = sql`${place}::pg_catalog.tid`
  const name = sql`${table}::pg_catalog.regclass::pg_catalog.text`
  const newest = sql`(select pg_catalog.currtid2(${name}, ${read}))`
  return sql`(${tableOid} = ${table} and ${ctid} = any (array[${read}, ${newest}]))`
}
