/** @module INSERT on a server without RETURNING: a query after it reads the stored rows by their keys. */

import { columnName, commaList, type Sql, sql } from '@engine/core/print'
import {
  rowsOf as allRowsOf,
  type Expression,
  hasSubquery,
  type InsertWrite,
  isVolatile,
} from '@engine/core/tree'
import { aliasOf, anyValue, type PrintContext, print, refuse } from '../print-context.ts'
import { makeInsertStep } from '../step/insert-step.ts'
import { makeStep } from '../step/make-step.ts'
import { mixesDefaults, printRows, readsWritten, sourceQuery } from './insert-source.ts'
import { type InsertedKey, insertedKeyOf } from './inserted-key.ts'
import { insertKept, keepProposed, numberIn, storedTypes } from './inserted-rows.ts'
import { type MaterializedRows, printMaterializedRows } from './materialized-rows.ts'
import { insertInto } from './returning-insert.ts'
import { isNumbered } from './stored-value.ts'
import { assertStep, resultStep, type StepList, type WrittenRows } from './write-plan.ts'

/** Up to this number of rows, each row can get a statement of its own. */
const mostRows = 500

export function insertByRow(write: InsertWrite, steps: StepList, context: PrintContext): void {
  const { source, returning, security } = write
  if (returning === undefined && security?.check === undefined) {
    steps.add(makeStep(insertInto(write, printRows(write, context)), 'affected'))
    return
  }
  if (source.kind === 'query') {
    insertRows(write, steps, context)
    return
  }
  const rows = source.kind === 'defaults' ? [[]] : allRowsOf(source)
  const writes = rows.map(
    (row): InsertWrite =>
      source.kind === 'defaults' ? write : { ...write, source: { kind: 'values', rows: [row] } },
  )
  const isKept = canKeep(write, context)
  const isBetterApart = writes.length === 1 || isNumberedByTrigger(write)
  const apart = isKept && !isBetterApart ? undefined : rowsApart(writes, context)
  if (apart !== undefined) insertApart(apart, steps, context)
  else if (isKept) insertRows(write, steps, context)
  else refuse('RETURNING of rows with DEFAULT beside other values here', undefined)
}

/** A number that a trigger assigns is reported only where the cells are in VALUES. */
function isNumberedByTrigger({ target }: InsertWrite): boolean {
  const { columns, triggerColumns } = target.table
  return columns.some(
    (column) => isNumbered(column) && triggerColumns?.has(column.ordinal) === true,
  )
}

/** Not where only the server knows a cell that has no value. */
function canKeep(write: InsertWrite, context: PrintContext): boolean {
  return !mixesDefaults(write, context) && sourceQuery(write, context).columns.length > 0
}

/** The rows of a query, or several rows: kept first, so that their keys are known and each cell is computed once. */
function insertRows(write: InsertWrite, steps: StepList, context: PrintContext): void {
  const source = sourceQuery(write, context)
  const inserted = insertedKeyOf(write.target.table, source, context)
  const proposal = keepProposed(write, source, inserted, steps, context)
  const isCounted = write.returning === undefined
  const kept = insertKept(proposal, { isCounted }, steps, context)
  addAnswer(write, inserted, kept, steps, context)
}

/** A row with a statement of its own. */
interface RowApart {
  readonly write: InsertWrite
  readonly inserted: InsertedKey
  readonly cells: readonly Expression[]
}

/** Each row by itself, with its cells in VALUES: then the driver reports any number that the row got. */
function insertApart(rows: readonly RowApart[], steps: StepList, context: PrintContext): void {
  const stored = rows.map((row) => {
    const text = insertInto(row.write, printRows(row.write, context))
    const isCounted = row.write.returning === undefined
    return { row, step: steps.add(makeInsertStep(text, { eachOf: undefined, isCounted })) }
  })
  for (const { row, step } of stored) {
    addAnswer(row.write, row.inserted, (each) => keyOfRow(row, step, each), steps, context)
  }
}

/** Undefined where a key cannot be computed again, and where a subquery in a later row would see what earlier rows changed. */
function rowsApart(
  writes: readonly InsertWrite[],
  context: PrintContext,
): readonly RowApart[] | undefined {
  if (writes.length > mostRows) return undefined
  const rows = writes.flatMap((write) => rowApart(write, context) ?? [])
  const isOne = writes.length === 1
  const isComplete = rows.length === writes.length
  return isComplete && (isOne || !rows.some(({ cells }) => cells.some(hasSubquery)))
    ? rows
    : undefined
}

function rowApart(write: InsertWrite, context: PrintContext): RowApart | undefined {
  if (readsWritten(write)) return undefined
  const source = sourceQuery(write, context)
  const inserted = insertedKeyOf(write.target.table, source, context)
  const cells = source.query.kind === 'values' ? (source.query.rows[0] ?? []) : []
  const isPure = inserted.parts.every((part) => {
    if (part.kind === 'numbered') return true
    const cell = cells[part.place]
    return cell !== undefined && !isVolatile(cell) && !hasSubquery(cell)
  })
  return isPure ? { write, inserted, cells } : undefined
}

/** `(select t2.c0 as c0, t2.c2 as c1, ? as c2 from <stored> as t2) as t1` */
function keyOfRow(
  { inserted, cells }: RowApart,
  step: number,
  context: PrintContext,
): MaterializedRows {
  const alias = aliasOf(context.nextId(), context)
  const stored = printMaterializedRows({ step, types: storedTypes }, context)
  const parts = inserted.parts.map((part, index): Sql => {
    const cell = part.kind === 'given' ? cells[part.place] : undefined
    return cell === undefined
      ? numberIn(stored.column(1).sql, inserted.key.columns[index])
      : print(cell, context)
  })
  const named = parts.map((part, index) => sql`${part} as ${columnName(index)}`)
  return {
    sql: sql`(select ${commaList([sql`${stored.position} as c0`, ...named])} from ${stored.sql}) as ${alias}`,
    position: sql`${alias}.c0`,
    column: (index) => ({ ...anyValue, sql: sql`${alias}.${columnName(index)}`, isBare: false }),
  }
}

export function addAnswer(
  { target, returning, security }: InsertWrite,
  { key }: InsertedKey,
  kept: WrittenRows['kept'],
  steps: StepList,
  context: PrintContext,
): void {
  const rows: WrittenRows = {
    kept,
    keyFrom: 0,
    key,
    table: target.table,
    relation: target.newRow,
    mustExist: true,
  }
  const { check, visible } = security ?? {}
  if (check !== undefined) steps.add(assertStep(check, rows, context))
  if (returning !== undefined) {
    steps.add(resultStep({ outputs: returning.outputs, visible }, rows, context))
  }
}
