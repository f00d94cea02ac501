/** @module GREATEST and LEAST. */

import { integer, joinSql, keyword, type Sql, sql } from '@engine/core/print'
import type { Extremum } from '@engine/core/tree'
import { call, classOfType, type PrintContext, print, refuse } from '../print-context.ts'
import { isBoundToLevel } from './bound-to-level.ts'

/** Each value is written once for every later one. */
const maxInPlace = 4

export function printExtremum(expression: Extremum, context: PrintContext): Sql {
  const isGreatest = expression.function === 'greatest'
  const typeClass = classOfType(expression.type, context)
  const values = expression.args.map((each) => print(each, context))
  if (typeClass === 'numeric') {
    return isGreatest ? call('dec_greatest', ...values) : call('dec_least', ...values)
  }
  if (typeClass === 'interval' || typeClass === 'jsonb' || typeClass === 'array') {
    return refuse(`${expression.function} of this type`, expression.position)
  }
  const name = isGreatest ? 'max' : 'min'
  const [first, ...others] = values
  if (first === undefined || others.length === 0) return first ?? sql`null`
  const isBound = expression.args.some(isBoundToLevel)
  if (typeClass === 'bpchar') {
    if (isBound) return refuse(`${expression.function} of this type`, expression.position)
    return firstOfRows(values, isGreatest)
  }
  if (!isBound) return ofRows(values, name)
  if (values.length > maxInPlace) {
    return refuse(`${expression.function} of so many aggregates`, expression.position)
  }
  // SQLite's max(a, b) is NULL if any argument is.
  return others.reduce(
    (left, right) => call('coalesce', call(name, left, right), left, right),
    first,
  )
}

/**
 * The aggregate ignores NULL. WITH names its columns: where a value refers to an outer row, SQLite loses the column names of
 * VALUES.
 */
function ofRows(values: readonly Sql[], name: 'max' | 'min'): Sql {
  const rows = joinSql(
    values.map((each) => sql`(${each})`),
    ', ',
  )
  return sql`(with v(c1) as (values ${rows}) select ${keyword(name)}(c1) from v)`
}

/** Trailing blanks do not count: of values that differ only in these, the first. */
function firstOfRows(values: readonly Sql[], isGreatest: boolean): Sql {
  const rows = joinSql(
    values.map((each, index) => sql`(${integer(index)}, ${each})`),
    ', ',
  )
  const order = isGreatest ? sql`desc` : sql`asc`
  return sql`(with v(c0, c1) as (values ${rows}) select c1 from v where c1 is not null order by rtrim(c1, ' ') ${order}, c0 limit 1)`
}
