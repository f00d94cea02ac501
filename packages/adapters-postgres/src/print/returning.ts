import { commaList, type Sql, sql } from '@engine/core/adapter'
import type { PrintContext } from './print-context.ts'

/** What a write answers with, printed once its rows can be referred to. Empty = nothing. */
export type ReturningList = (context: PrintContext) => readonly Sql[]

export function returningClause(list: readonly Sql[]): Sql | undefined {
  return list.length === 0 ? undefined : sql`returning ${commaList(list)}`
}
