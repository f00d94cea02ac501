/** @module An INSERT without conflicts. */
import type { InsertWrite } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import { insertByRow } from './insert-by-row.ts'
import { printRows } from './insert-source.ts'
import { addInsert, insertInto } from './returning-insert.ts'
import type { StepList } from './write-plan.ts'

export function addPlain(write: InsertWrite, steps: StepList, context: PrintContext): void {
  if (!context.traits.hasReturning) insertByRow(write, steps, context)
  else addInsert(write, insertInto(write, printRows(write, context)), steps, context)
}
