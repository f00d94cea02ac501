export { executionOf } from '@engine/adapter-conformance'

import type { CompiledStatement, PlanStep, ValueSource } from '@engine/core/adapter'
import { oids, type SqlType } from '@engine/core/catalog'

/** A step in the compiler's form, with the test's own SQL. */
export interface TestStep {
  readonly sql: string
  readonly yields?: PlanStep['yields']
  /** Oids of the parameters; `step 0` is the result that this step kept. */
  readonly parameters?: readonly (number | `step ${number}`)[]
  readonly visibleColumn?: number
}

export interface StatementOptions extends Omit<TestStep, 'sql'> {
  /** Oids, or types, of the result columns `a`, `b` ... */
  readonly columns?: readonly (number | SqlType)[]
  readonly isWrite?: boolean
}

export function statementOf(sql: string, options: StatementOptions = {}): CompiledStatement {
  const { columns, isWrite = false, ...step } = options
  return planOf([{ yields: isWrite ? 'affected' : 'result', ...step, sql }], {
    isWrite,
    ...(columns === undefined ? {} : { columns }),
  })
}

export function planOf(
  steps: readonly TestStep[],
  { columns = [], isWrite = true }: Pick<StatementOptions, 'columns' | 'isWrite'> = {},
): CompiledStatement {
  return {
    steps: steps.map(({ sql, yields = 'nothing', parameters = [], ...columnsOfStep }) => ({
      sql,
      parameters: parameters.map(sourceOf),
      yields,
      checkColumn: undefined,
      visibleColumn: columnsOfStep.visibleColumn,
    })),
    needsTransaction: false,
    isWrite,
    columns: columns.map((type, index) => ({
      name: String.fromCharCode(97 + index),
      type: typeOf(type),
    })),
    hints: undefined,
  }
}

function sourceOf(parameter: number | `step ${number}`, index: number): ValueSource {
  return typeof parameter === 'number'
    ? { from: 'request', index, type: typeOf(parameter) }
    : { from: 'step', step: Number(parameter.slice('step '.length)) }
}

function typeOf(type: number | SqlType): SqlType {
  return typeof type === 'number' ? { oid: type, typmod: -1 } : type
}

export const one: CompiledStatement = statementOf('select 1', { columns: [oids.int4] })
