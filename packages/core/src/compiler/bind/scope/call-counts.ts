/** @module Counts the aggregates, window calls and set-returning functions that a construct has on its own query level. */
import type { ExpressionEnvironment } from './context.ts'

/** Counts of calls found while a part was bound. */
export interface CallCounts {
  readonly aggregates: number
  readonly windows: number
  readonly sets: number
}

/** Binds a part and returns the counts of its calls, which are added to those of the whole. */
export function bindAndCountCalls<Part>(
  environment: ExpressionEnvironment,
  bindPart: (inner: ExpressionEnvironment) => Part,
): { readonly part: Part; readonly found: CallCounts } {
  const counts = { aggregates: 0, windows: 0, sets: 0 }
  const part = bindPart({ ...environment, found: counts })
  environment.found.aggregates += counts.aggregates
  environment.found.windows += counts.windows
  environment.found.sets = (environment.found.sets ?? 0) + counts.sets
  return { part, found: counts }
}
