/** @module INSERT. */
import { GatewayError } from '@engine/core/adapter'
import { type InsertWrite, rowsOf } from '@engine/core/tree'
import { type PrintContext, refuse } from '../print-context.ts'
import { addPlain } from './plain-insert.ts'
import { printUpsert } from './print-conflict.ts'
import { createStepList, refuseOwnTable, type WriteSteps } from './write-plan.ts'

export function printInsert(write: InsertWrite, context: PrintContext): WriteSteps {
  if (write.security === undefined) {
    throw new GatewayError('internal', 'a write without its security')
  }
  if (write.overriding === 'user') refuse('OVERRIDING USER VALUE', undefined)
  refuseOwnTable(write)
  if (write.onConflict !== undefined) {
    return printUpsert(withAllRows(write), write.onConflict, context)
  }
  const steps = createStepList()
  addPlain(write, steps, context)
  return { steps: steps.steps, retriesOnDuplicateKey: false }
}

function withAllRows(write: InsertWrite): InsertWrite {
  const { source } = write
  if (source.kind !== 'repeated') return write
  return { ...write, source: { kind: 'values', rows: rowsOf(source) } }
}
