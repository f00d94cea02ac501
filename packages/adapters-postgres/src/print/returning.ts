import { commaList, type Sql, sql } from '@engine/core/print'
import type { PrintContext } from './print-context.ts'

/** The RETURNING columns of a write, printed once its rows have a name. Empty = no RETURNING. */
export type ReturningList = (context: PrintContext) => readonly Sql[]

export function returningClause(list: readonly Sql[]): Sql | undefined {
  return list.length === 0 ? undefined : sql`returning ${commaList(list)}`
}
