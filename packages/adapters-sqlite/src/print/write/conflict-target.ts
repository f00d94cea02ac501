/** @module The target of ON CONFLICT. */

import type { Table } from '@engine/core/catalog'
import {
  catalogSql,
  columnAt,
  commaList,
  identifier,
  joinSql,
  type Sql,
  sql,
} from '@engine/core/print'
import type { ConflictIndex, ConflictTarget } from '@engine/core/tree'
import { refuse } from '../print-context.ts'

/** ` ("a", "b")`, ` ((lower(email))) where (deleted_at is null)` */
export function printConflictTarget(table: Table, { columns, index }: ConflictTarget): Sql {
  if (index === undefined) {
    return sql` (${commaList(columns.map((ordinal) => identifier(columnAt(table, ordinal).name)))})`
  }
  // SQLite would watch the first of them only.
  if (index.count > 1)
    refuse('a target of ON CONFLICT that means several unique indexes', undefined)
  const target = sql` (${commaList(indexParts(index))})`
  const condition = indexCondition(index)
  return condition === undefined ? target : sql`${target} where ${condition}`
}

/** The parts as the index compares them. */
export function indexParts({ parts }: ConflictIndex): readonly Sql[] {
  return parts.map((part) =>
    part.collation === undefined
      ? catalogSql(part)
      : sql`${catalogSql(part)} collate ${catalogSql(part.collation)}`,
  )
}

/** Undefined for an index over all rows. */
export function indexCondition({ conditions }: ConflictIndex): Sql | undefined {
  if (conditions.length === 0) return undefined
  return joinSql(
    conditions.map((condition) => sql`(${catalogSql(condition)})`),
    ' and ',
  )
}
