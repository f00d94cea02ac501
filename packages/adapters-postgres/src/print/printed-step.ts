import type { PlanStep } from '@engine/core/adapter'
import type { Sql } from '@engine/core/print'

/** A step before its placeholders are numbered. */
export interface PrintedStep extends Omit<PlanStep, 'sql' | 'parameters' | 'volatileCalls'> {
  readonly sql: Sql
}
