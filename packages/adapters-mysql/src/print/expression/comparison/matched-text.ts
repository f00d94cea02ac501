import { type Sql, sql } from '@engine/core/print'
import type { PrintContext } from '../../print-context.ts'

/** What `regexp_substr` returns, as a text that a cast to DECIMAL reads whole. */
export function matchedText(match: Sql, context: PrintContext): Sql {
  return context.traits.faults.matchesAsIntegers ? sql`concat(${match})` : match
}
