/** @module DELETE. */

import { allOf, clauses, type Sql, sql } from '@engine/core/print'
import {
  changedTables,
  type DeleteWrite,
  hasSubquery,
  readsOneOf,
  readsTable,
  refersToItself,
} from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import { aliasOf, type PrintContext } from '../print-context.ts'
import { tableName } from '../query/base-table.ts'
import { makeStep } from '../step/make-step.ts'
import { makeResultStep } from '../step/result-step.ts'
import { materializeRows, printTargetFilter, securityOf } from './find-rows.ts'
import { type MaterializedStep, printMaterializedRows } from './materialized-rows.ts'
import { readsInJoin } from './reads-column.ts'
import { isMaterializedRow, type RowKey, rowKeyOf, tableByKey } from './row-key.ts'
import {
  countStep,
  createStepList,
  nameTarget,
  printReturning,
  refuseWithInReturning,
  resultStep,
  rowsOf,
  type WriteSteps,
} from './write-plan.ts'

export function printDelete(write: DeleteWrite, context: PrintContext): WriteSteps {
  const { target, returning } = write
  const { visible } = securityOf(write)
  refuseWithInReturning(write)
  const steps = createStepList()
  const result: WriteSteps = { steps: steps.steps, retriesOnDuplicateKey: false }
  // The server neither counts nor returns rows that a cascade deletes.
  const isChained = refersToItself(target.table, context.tables)
  if (canDeleteInPlace(write, context) && !isChained && canReturn(write, context)) {
    const remove = deleteInPlace(write, context)
    if (returning === undefined) {
      steps.add(makeStep(remove, 'affected'))
    } else {
      nameTarget(target.table, [target.newRow], context)
      const { outputs, stored } = printReturning({ outputs: returning.outputs }, context)
      steps.add(makeResultStep(sql`${remove} returning ${outputs}`, stored))
    }
    return result
  }
  const key = rowKeyOf(target.table)
  const kept = materializeRows(write, key, () => [], steps, context)
  if (returning !== undefined) {
    const rows = {
      kept: rowsOf(kept),
      keyFrom: 0,
      key,
      table: target.table,
      relation: target.newRow,
    }
    steps.add(resultStep({ outputs: returning.outputs, visible }, rows, context))
  }
  const isCounted = returning === undefined && !isChained
  steps.add(makeStep(deleteKept(write, kept, key, context), isCounted ? 'affected' : 'nothing'))
  if (returning === undefined && isChained) steps.add(countStep(kept))
  return result
}

/** The server deletes a row, and its cascades, before it reads the next one. */
function canDeleteInPlace(write: DeleteWrite, context: PrintContext): boolean {
  const { rows } = securityOf(write)
  if (rows.masks.size > 0 || rows.barrier) return false
  if (write.using.length > 0 || write.ctes.length > 0) return false
  const conditions = [rows.filter, ...rows.pushed, write.where]
  const changed = changedTables(write, context.tables)
  return !conditions.some((each) => each !== undefined && readsOneOf(each, changed))
}

/** PostgreSQL's subqueries in RETURNING see the tables as before the DELETE. */
function canReturn({ returning, security, target }: DeleteWrite, context: PrintContext): boolean {
  if (returning === undefined) return true
  if (!context.traits.hasReturning || security?.visible !== undefined) return false
  const { name } = target.table
  const isReferenced = [...context.tables.values()].some(({ foreignKeys }) =>
    foreignKeys.some(({ table }) => table === name),
  )
  const { outputs } = returning
  if (outputs.some((output) => readsTable(output, target.table))) return false
  if (outputs.some((output) => readsInJoin(output, target.newRow))) return false
  return !isReferenced || !outputs.some(hasSubquery)
}

/** `delete from t where ...`; the only name of the row is the table's. */
function deleteInPlace(write: DeleteWrite, context: PrintContext): Sql {
  const { target } = write
  const { rows } = securityOf(write)
  nameTarget(target.table, [target.oldRow, rows.id, rows.base], context)
  const conditions = allOf(
    [rows.filter, ...rows.pushed, write.where].map((each) => each && printFilter(each, context)),
  )
  return clauses(
    sql`delete from ${tableName(target.table)}`,
    conditions && sql`where ${conditions}`,
  )
}

/** `delete t1 from <kept rows> straight_join t as t1 on <same key>` */
function deleteKept(
  write: DeleteWrite,
  step: MaterializedStep,
  key: RowKey,
  context: PrintContext,
): Sql {
  const kept = printMaterializedRows(step, context)
  const alias = aliasOf(context.nextId(), context)
  const match = isMaterializedRow(key, alias, kept, 0, context)
  const table = tableByKey(write.target.table, key.columns, alias)
  const where = printTargetFilter(write, alias, context) ?? sql``
  return sql`delete ${alias} from ${kept.sql} straight_join ${table} on ${match}${where}`
}
