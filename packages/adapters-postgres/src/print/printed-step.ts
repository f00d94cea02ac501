import type { PlanStep, Sql } from '@engine/core/adapter'

/** A step before its placeholders are numbered. */
export interface PrintedStep extends Omit<PlanStep, 'sql' | 'parameters' | 'volatileCalls'> {
  readonly sql: Sql
}
