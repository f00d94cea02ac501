/**
 * @module IN without MariaDB's cache. Whether `NULL in (<query>)` is NULL or false depends on whether the query has rows; MariaDB
 * evaluates that once for a prepared statement, and reuses the result in later executions with other rows, parameters and
 * callers. With a value that is not NULL, it evaluates the query each time.
 */

import { oids, type SqlType } from '@engine/core/catalog'
import { commaList, type Sql, sql } from '@engine/core/print'
import type { Expression, Query } from '@engine/core/tree'
import type { PrintContext } from '../../print-context.ts'
import { propertiesOf } from '../../value-properties.ts'

/** Can all values on the left of IN be NULL at once, on a server that caches the result? */
export function mayAllBeNull(operands: readonly Expression[], context: PrintContext): boolean {
  const { cachedNullIn } = context.traits.faults
  return cachedNullIn && operands.every((each) => propertiesOf(each, context).isNullable)
}

/** `(a, true) in (<query with a mark>)` */
export function printUncachedIn(keys: readonly Sql[], marked: Query, context: PrintContext): Sql {
  const right = context.printQuery(marked, context, 'key').sql
  return sql`((${commaList([...keys, mark])}) in (${right}))`
}

export const mark: Sql = sql`true`

/** The query with a last column that is always TRUE. */
export function withMark(query: Query): Query {
  const columns = [...query.columns, { name: '', type: boolType }]
  switch (query.kind) {
    case 'select':
      return { ...query, columns, outputs: [...query.outputs, markConstant] }
    case 'values':
      return { ...query, columns, rows: query.rows.map((each) => [...each, markConstant]) }
    case 'setOperation':
      return { ...query, columns, left: withMark(query.left), right: withMark(query.right) }
  }
}

const boolType: SqlType = { oid: oids.bool, typmod: -1 }
const markConstant: Expression = { kind: 'constant', value: 'true', type: boolType }
