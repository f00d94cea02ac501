/** @module TABLESAMPLE. */
import { clauses, keyword, markVolatile, type Sql, sql } from '@engine/core/print'
import { sampleMethod, type TableSample } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'

/** `tablesample pg_catalog.bernoulli ($1::float4) repeatable ($2::float8)` */
export function printTableSample(sample: TableSample, context: PrintContext): Sql {
  const [percentage, seed] = sample.args.map((each) => context.printExpression(each, context))
  const method = keyword(sampleMethod(sample))
  const repeatable = seed && sql`repeatable (${seed})`
  const text = sql`tablesample pg_catalog.${method} (${percentage ?? keyword('null')})`
  return markVolatile(sample, clauses(text, repeatable))
}
