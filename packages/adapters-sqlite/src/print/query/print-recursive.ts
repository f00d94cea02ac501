/** @module Recursive WITH queries: a seed, and a plain SELECT that runs for every row found. */

import { hasTail, recursionOf, runSteps, sql } from '@engine/core/print'
import type { CommonTable } from '@engine/core/tree'
import {
  anyValue,
  classOfType,
  type PrintContext,
  type PrintedQuery,
  refuse,
} from '../print-context.ts'
import { comparesNatively } from '../type-class.ts'
import { printSelect } from './print-select.ts'

/**
 * SQLite takes rows out of its queue one by one, PostgreSQL a whole generation at a time: no part of the recursive query may read
 * more than one row.
 */
export function printRecursiveUnion(cte: CommonTable, context: PrintContext): PrintedQuery {
  const { seed, step, all } = recursionOf(cte, 'SQLite')
  const classes = cte.columns.map(({ type }) => classOfType(type, context))
  if (!all && !classes.every(comparesNatively)) {
    return refuse('a recursive UNION without ALL over values of this type', undefined)
  }
  const printed = context.printQuery(seed, context, 'value')
  const isPlain = seed.kind === 'select' && !hasTail(seed) && seed.ctes.length === 0
  const columns = cte.columns.map(() => anyValue)
  context.ctes.set(cte.id, columns)
  const next = runSteps(printSelect(step, context, 'value')).sql
  const word = all ? sql`union all` : sql`union`
  const start = isPlain ? printed.sql : sql`select * from (${printed.sql})`
  return { sql: sql`${start} ${word} ${next}`, columns }
}
