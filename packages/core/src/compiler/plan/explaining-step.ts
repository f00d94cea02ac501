import { oids } from '../sql-types/oids.ts'
import { type PlanStep, sqlOf } from './plan.ts'

/**
 * A step that explains `step` without running it. Rows that earlier steps would keep for it are missing.
 *
 * @param keyword the keyword before a statement: `explain`.
 */
export function explainingStep(step: PlanStep, keyword: string): PlanStep {
  return {
    sql: `${keyword} ${sqlOf(step)}`,
    parameters: step.parameters.map((source) =>
      source.from === 'step'
        ? { from: 'constant', value: null, type: { oid: oids.text, typmod: -1 } }
        : source,
    ),
    yields: 'result',
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}
