/**
 * @module Columns of FROM in the RETURNING of an UPDATE: SQLite's RETURNING sees the written table only, so their values are kept
 * separately.
 */
import type { ForeignColumn, Sql } from '@engine/core/print'
import { anyValue, type PrintContext } from '../print-context.ts'
import { fromKept } from './kept-value.ts'
import { keptItem } from './write-target.ts'

/** Kept values begin at `from` in each kept row. */
export function nameKept(
  alias: Sql,
  from: number,
  foreign: readonly ForeignColumn[],
  context: PrintContext,
): void {
  for (const [index, { reference, relation }] of foreign.entries()) {
    const item = keptItem(alias, from + index)
    const value = fromKept(item, reference.type, context)
    context.relations.set(relation, { column: () => ({ ...anyValue, sql: value, isBare: false }) })
  }
}
