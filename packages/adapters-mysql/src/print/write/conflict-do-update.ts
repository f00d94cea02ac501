/** @module ON CONFLICT DO UPDATE in steps: existing rows are locked and changed, the others stored. */
import { columnName, commaList, sql } from '@engine/core/print'
import { aliasOf, type PrintContext } from '../print-context.ts'
import { noLimit } from '../print-limit.ts'
import { makeStep } from '../step/make-step.ts'
import { oncePerKey, storedValues } from './conflict-keys.ts'
import {
  type ConflictingRows,
  isNew,
  materializeConflicting,
  positionAt,
  updateConflicting,
} from './conflicting-rows.ts'
import { type InsertedKey, insertedKeyOf } from './inserted-key.ts'
import { insertKept, keepProposed } from './inserted-rows.ts'
import {
  type MaterializedRows,
  type MaterializedStep,
  printMaterializedRows,
} from './materialized-rows.ts'
import type { Upsert } from './on-duplicate-key.ts'
import { addFaults } from './proposed-faults.ts'
import { insertInto } from './returning-insert.ts'
import { type RowKey, rowKeyOf } from './row-key.ts'
import { countUpserted, printUpserted } from './upserted-rows.ts'
import {
  assertStep,
  presenceStep,
  resultStep,
  type StepList,
  targetName,
  type WrittenRows,
} from './write-plan.ts'

export function addDoUpdate(upsert: Upsert, steps: StepList, context: PrintContext): void {
  const { write, source, key, action } = upsert
  const { target, returning, security } = write
  const known = context.traits.hasReturning
    ? undefined
    : insertedKeyOf(target.table, source, context)
  const rowKey = known?.key ?? rowKeyOf(target.table)
  const proposed =
    known === undefined
      ? steps.keep(
          context.printQuery(source.query, context, 'value').sql,
          source.columns.map(({ type }) => type),
        )
      : keepProposed(write, source, known, steps, context).step
  addFaults(write, source, proposed, steps, context)
  if (source.rowCount !== 1) {
    const kept = printMaterializedRows(proposed, context)
    steps.add(makeStep(oncePerKey(key, kept, '21000', context), 'nothing'))
  }
  const met = materializeConflicting(upsert, rowKey, proposed, steps, context)
  const inserted =
    known === undefined
      ? addReturningInsert(upsert, rowKey, proposed, met, steps, context)
      : addInsert(upsert, known, proposed, met, steps, context)
  steps.add(makeStep(updateConflicting(upsert, rowKey, met, context), 'nothing'))
  const { check, visible } = security ?? {}
  const changesKey = rowKey.columns.some(({ ordinal }) =>
    action.assignments.some(({ column }) => column === ordinal),
  )
  const written: WrittenRows = {
    kept: (each) => printUpserted({ rowKey, proposed, met, inserted }, each),
    keyFrom: 0,
    key: rowKey,
    table: target.table,
    relation: target.newRow,
    mustExist: known !== undefined,
  }
  if (changesKey) steps.add(presenceStep(written, context))
  if (check !== undefined) {
    const from = rowKey.columns.length
    const oldConditions = (kept: MaterializedRows) =>
      met.conditions.map((_, index) => kept.column(from + index).sql)
    steps.add(assertStep(check, written, context, oldConditions))
  }
  if (returning !== undefined) {
    steps.add(resultStep({ outputs: returning.outputs, visible }, written, context))
  } else {
    steps.add(makeStep(countUpserted({ rowKey, proposed, met, inserted }, context), 'count'))
  }
}

/** The rows without a conflict; their keys are kept, in the order of the rows. */
function addReturningInsert(
  { write, source }: Upsert,
  rowKey: RowKey,
  proposed: MaterializedStep,
  met: ConflictingRows,
  steps: StepList,
  context: PrintContext,
): MaterializedStep {
  const kept = printMaterializedRows(proposed, context)
  const values = storedValues(source, (index) => kept.column(index).sql, context)
  const rows = sql`select ${values} from ${kept.sql} where ${isNew(kept, met, context)} order by ${kept.position}`
  const insert = insertInto(write, { columns: source.columns, sql: rows })
  const parts = commaList(rowKey.parts(targetName(write.target.table)))
  return steps.keep(
    sql`${insert} returning ${parts}`,
    rowKey.columns.map(({ type }) => type),
  )
}

/** The same on a server without RETURNING: the rows are kept with their positions before they are stored. */
function addInsert(
  { write }: Upsert,
  inserted: InsertedKey,
  proposed: MaterializedStep,
  met: ConflictingRows,
  steps: StepList,
  context: PrintContext,
): WrittenRows['kept'] {
  const kept = printMaterializedRows(proposed, context)
  const { columns } = inserted.source
  const cells = [kept.position, ...columns.map((_, index) => kept.column(index).sql)]
  const named = cells.map((cell, index) => sql`${cell} as ${columnName(index)}`)
  const existing = printMaterializedRows(met.kept, context)
  const alias = aliasOf(context.nextId(), context)
  // A derived table with a limit is read once; the list itself would be read for each proposed row, as would that of NOT IN.
  const positions = sql`select ${existing.column(positionAt).sql} as c1 from ${existing.sql} limit ${noLimit}`
  const text = sql`select ${commaList(named)} from ${kept.sql} left join (${positions}) as ${alias} on ${alias}.c1 = ${kept.position} where ${alias}.c1 is null order by ${kept.position}`
  const step = steps.keep(text, [{ oid: 20, typmod: -1 }, ...columns.map(({ type }) => type)])
  return insertKept({ write, inserted, step, from: 1 }, { isCounted: false }, steps, context)
}
