/** @module The target of ON CONFLICT. */

import type { Table } from '@engine/core/catalog'
import { catalogSql, clauses, commaList, joinSql, keyword, type Sql, sql } from '@engine/core/print'
import type { ConflictTarget } from '@engine/core/tree'
import { tableColumnName } from './relation-columns.ts'

/** `("a", "b")`, `(lower(email) collate pg_catalog."C") where (deleted_at IS NULL)` */
export function printConflictTarget(table: Table, { columns, index }: ConflictTarget): Sql {
  if (index === undefined) {
    return sql`(${commaList(columns.map((column) => tableColumnName(table, column)))})`
  }
  const parts = index.parts.map((part) => {
    const { collation, operatorClass, namesCollation, namesOperatorClass } = part
    return clauses(
      catalogSql(part),
      namesCollation && collation ? sql`collate ${catalogSql(collation)}` : undefined,
      namesOperatorClass && operatorClass ? catalogSql(operatorClass) : undefined,
    )
  })
  const conditions = index.conditions.map((condition) => sql`(${catalogSql(condition)})`)
  return clauses(
    sql`(${commaList(parts)})`,
    conditions.length === 0 ? undefined : keyword('where'),
    conditions.length === 0 ? undefined : joinSql(conditions, ' and '),
  )
}
