/** @module An INSERT whose numbers are kept, on a server without RETURNING. */
import type { PlanStep } from '@engine/core/adapter'
import type { Sql } from '@engine/core/print'
import { makeStep } from './make-step.ts'

/**
 * A step that stores at most one row each time it runs, and keeps `[position, number, ...row]` of each stored row. The number is
 * the one that the driver reports: a signed integer of 64 bits.
 */
export interface InsertStep extends PlanStep {
  readonly inserts: {
    /**
     * The step whose kept rows are stored one by one: each time, its rows are one row alone. Undefined: the INSERT runs once, with
     * position 1 and without a kept row.
     */
    readonly eachOf: number | undefined
    /** The stored rows are the affected ones of the statement. */
    readonly isCounted: boolean
  }
}

export function makeInsertStep(text: Sql, inserts: InsertStep['inserts']): InsertStep {
  return { ...makeStep(text, 'keep'), inserts }
}

/** What the driver needs to know about such a step; undefined for any other. */
export function insertionOf(step: PlanStep): InsertStep['inserts'] | undefined {
  return 'inserts' in step ? (step as InsertStep).inserts : undefined
}
