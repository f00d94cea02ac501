/** @module An INSERT whose stored rows are checked and returned, on MariaDB, which has RETURNING. */

import { commaList, identifier, type Sql, sql } from '@engine/core/print'
import { type InsertWrite, readsTable } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import { tableName } from '../query/base-table.ts'
import { makeStep } from '../step/make-step.ts'
import { makeResultStep } from '../step/result-step.ts'
import type { InsertRows } from './insert-source.ts'
import { readsColumn, readsInJoin } from './reads-column.ts'
import { nativeOf, rowKeyOf } from './row-key.ts'
import {
  assertStep,
  countStep,
  nameTarget,
  printReturning,
  resultStep,
  rowsOf,
  type StepList,
  targetName,
} from './write-plan.ts'

export function insertInto({ target }: InsertWrite, { columns, sql: rows }: InsertRows): Sql {
  const names = commaList(columns.map(({ name }) => identifier(name)))
  return sql`insert into ${tableName(target.table)} (${names}) ${rows}`
}

export function addInsert(
  write: InsertWrite,
  insert: Sql,
  steps: StepList,
  context: PrintContext,
): void {
  const { target, returning, security } = write
  const { check, visible } = security ?? {}
  if (check === undefined && returning === undefined) {
    steps.add(makeStep(insert, 'affected'))
    return
  }
  const outputs = returning?.outputs ?? []
  if (canReturn(write)) {
    nameTarget(target.table, [target.newRow], context)
    const printed = printReturning({ outputs, check, visible }, context)
    // Returned rows are counted where RETURNING was not requested.
    const step = makeResultStep(sql`${insert} returning ${printed.outputs}`, printed.stored)
    steps.add({ ...step, visibleColumn: printed.visibleColumn })
    return
  }
  const key = rowKeyOf(target.table)
  const parts = commaList(key.parts(targetName(target.table)))
  const types = key.columns.map(({ type }) => type)
  const kept = steps.keep(sql`${insert} returning ${parts}`, types)
  const rows = { kept: rowsOf(kept), keyFrom: 0, key, table: target.table, relation: target.newRow }
  if (check !== undefined) steps.add(assertStep(check, rows, context))
  if (returning === undefined) steps.add(countStep(kept))
  else steps.add(resultStep({ outputs, visible }, rows, context))
}

/**
 * RETURNING cannot read the table itself, and returns columns that are computed from a row's number with their values before the
 * number was assigned.
 */
export function canReturn({ target, returning, security }: InsertWrite): boolean {
  const { table, newRow } = target
  const asked = [security?.check, security?.visible].filter((each) => each !== undefined)
  if (asked.some((each) => readsTable(each, table))) return false
  const all = [...asked, ...(returning?.outputs ?? [])]
  if (all.some((each) => readsInJoin(each, newRow))) return false
  if (!table.columns.some((column) => nativeOf(column).isAutoIncrement === true)) return true
  const isComputed = (ordinal: number) => table.columns[ordinal]?.generated === 'always'
  return !all.some((each) => readsColumn(each, newRow, isComputed))
}
