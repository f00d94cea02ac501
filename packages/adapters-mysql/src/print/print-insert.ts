/** @module INSERT. */
import { GatewayError, type InsertWrite } from '@engine/core'
import { insertByRow } from './insert-by-row.ts'
import { printRows } from './insert-source.ts'
import { printUpsert } from './print-conflict.ts'
import { isMariaDb, type PrintContext, refuse } from './print-context.ts'
import { addInsert, insertInto } from './returning-insert.ts'
import { createStepList, refuseOwnTable, type WriteSteps } from './write-plan.ts'

export function printInsert(write: InsertWrite, context: PrintContext): WriteSteps {
  if (write.security === undefined) {
    throw new GatewayError('internal', 'a write without its security')
  }
  if (write.overriding === 'user') refuse('OVERRIDING USER VALUE', undefined)
  refuseOwnTable(write)
  if (write.onConflict !== undefined) return printUpsert(write, write.onConflict, context)
  const steps = createStepList()
  if (isMariaDb(context))
    addInsert(write, insertInto(write, printRows(write, context)), steps, context)
  else insertByRow(write, steps, context)
  return { steps: steps.steps, retriesOnDuplicateKey: false }
}
