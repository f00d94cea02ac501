/** @module INSERT on a server without RETURNING: a query after it reads the stored rows by their keys. */

import {
  rowsOf as allRowsOf,
  columnName,
  commaList,
  type Expression,
  hasSubquery,
  type InsertWrite,
  isVolatile,
  type Sql,
  sql,
} from '@engine/core/adapter'
import { aliasOf, anyValue, type PrintContext, print, refuse } from '../print-context.ts'
import { makeInsertStep } from '../step/insert-step.ts'
import { makeStep } from '../step/make-step.ts'
import { mixesDefaults, printRows, readsWritten, sourceQuery } from './insert-source.ts'
import { type InsertedKey, insertedKeyOf } from './inserted-key.ts'
import { insertKept, keepProposed, numberIn, storedTypes } from './inserted-rows.ts'
import { type MaterializedRows, printMaterializedRows } from './materialized-rows.ts'
import { insertInto } from './returning-insert.ts'
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
  const apart = rows.map(
    (row): InsertWrite =>
      source.kind === 'defaults' ? write : { ...write, source: { kind: 'values', rows: [row] } },
  )
  const isAlone = apart.length === 1 && rowApart(write, context) !== undefined
  if (isAlone || !canKeep(write, context)) insertApart(apart, steps, context)
  else insertRows(write, steps, context)
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

/** Each row as a statement of its own, with its cells in VALUES: then the driver reports any number that the row got. */
function insertApart(writes: readonly InsertWrite[], steps: StepList, context: PrintContext): void {
  if (writes.length > mostRows) {
    refuse(`RETURNING of more than ${mostRows} rows, some with DEFAULT,`, undefined)
  }
  const stored = writes.map((write) => {
    const row = rowApart(write, context) ?? refuse('RETURNING of such a row', undefined)
    const text = insertInto(write, printRows(write, context))
    const isCounted = write.returning === undefined
    const step = steps.add(makeInsertStep(text, { eachOf: undefined, isCounted }))
    return { write, row, step }
  })
  for (const { write, row, step } of stored) {
    addAnswer(write, row.inserted, (each) => keyOfRow(row, step, each), steps, context)
  }
}

interface RowApart {
  readonly inserted: InsertedKey
  readonly cells: readonly Expression[]
}

/** A row whose key can be computed again by the query that finds it; undefined for any other. */
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
  return isPure ? { inserted, cells } : undefined
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
