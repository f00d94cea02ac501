/** @module A write as steps of SQL. */
import type { CompiledStatement } from '@engine/core/adapter'
import { unreachable } from '@engine/core/driver'
import type { Write } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import { withHeldDocuments } from './held-documents.ts'
import { printDelete } from './print-delete.ts'
import { printInsert } from './print-insert.ts'
import { printUpdate } from './print-update.ts'
import type { WriteSteps } from './write-plan.ts'

/** The parts of the plan of a write. */
export type PrintedWrite = Pick<CompiledStatement, 'steps' | 'needsTransaction' | 'hints'>

export function printWrite(write: Write, context: PrintContext): PrintedWrite {
  const { steps, retriesOnDuplicateKey } = stepsOf(withHeldDocuments(write, context), context)
  return {
    steps,
    needsTransaction: steps.length > 1,
    hints: retriesOnDuplicateKey ? { retriesOnDuplicateKey } : undefined,
  }
}

function stepsOf(write: Write, context: PrintContext): WriteSteps {
  switch (write.kind) {
    case 'insert':
      return printInsert(write, context)
    case 'update':
      return printUpdate(write, context)
    case 'delete':
      return printDelete(write, context)
    default:
      return unreachable(write)
  }
}
