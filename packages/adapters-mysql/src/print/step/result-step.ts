/** @module A step whose rows are the answer, with the columns of tables in it. */

import type { PlanStep } from '@engine/core/adapter'
import type { Column } from '@engine/core/catalog'
import type { Sql } from '@engine/core/print'
import { makeStep } from './make-step.ts'

export interface ResultStep extends PlanStep {
  /** By output: the column that it shows as it is stored; undefined for any other value. */
  readonly stored: readonly (Column | undefined)[]
}

export function makeResultStep(text: Sql, stored: ResultStep['stored']): ResultStep {
  return { ...makeStep(text, 'result'), stored }
}

/** The columns of a step that shows columns as they are stored. */
export function storedColumnsOf(step: PlanStep): ResultStep['stored'] {
  return 'stored' in step ? (step as ResultStep).stored : []
}
