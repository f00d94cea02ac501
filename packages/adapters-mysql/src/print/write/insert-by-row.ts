/** @module INSERT on MySQL, which has no RETURNING: a query after each row reads its key. */

import {
  rowsOf as allRowsOf,
  columnAt,
  columnName,
  commaList,
  type Expression,
  type InsertWrite,
  identifier,
  type Sql,
  sql,
} from '@engine/core/adapter'
import { type PrintContext, print, refuse } from '../print-context.ts'
import { tableName } from '../query/base-table.ts'
import { makeStep } from '../step/make-step.ts'
import { storedValues } from './conflict-keys.ts'
import { defaultExpression } from './default-cell.ts'
import { printRows, sourceQuery } from './insert-source.ts'
import { type MaterializedStep, printMaterializedRows } from './materialized-rows.ts'
import { nativeOf, type RowKey, rowKeyOf } from './row-key.ts'
import { assertStep, countStep, resultStep, rowsOf, type StepList } from './write-plan.ts'

/** Up to this number of rows, each row gets a statement of its own. */
const mostRows = 500

export function insertByRow(write: InsertWrite, steps: StepList, context: PrintContext): void {
  const { source, returning, security, target } = write
  if (returning === undefined && security?.check === undefined) {
    const { columns, sql: rows } = printRows(write, context)
    const names = commaList(columns.map(({ name }) => identifier(name)))
    steps.add(makeStep(sql`insert into ${tableName(target.table)} (${names}) ${rows}`, 'affected'))
    return
  }
  const key = rowKeyOf(target.table)
  if (source.kind === 'query') {
    addAnswer(write, key, insertKept(write, key, steps, context), steps, context)
    return
  }
  const count = source.kind === 'defaults' ? 1 : source.rows.length
  if (count > mostRows) refuse(`RETURNING of more than ${mostRows} rows`, undefined)
  const rows = source.kind === 'defaults' ? [[]] : allRowsOf(source)
  const stored = rows.map((row) => {
    const one: InsertWrite = {
      ...write,
      source: source.kind === 'defaults' ? source : { kind: 'values', rows: [row] },
    }
    const { columns, sql: values } = printRows(one, context)
    const names = commaList(columns.map(({ name }) => identifier(name)))
    steps.add(makeStep(sql`insert into ${tableName(target.table)} (${names}) ${values}`, 'nothing'))
    const parts = key.columns.map((column) => {
      const cell = row[write.columns.indexOf(column.ordinal)]
      if (cell !== undefined && cell.kind !== 'default') return print(cell, context)
      if (nativeOf(column).isAutoIncrement === true) return sql`last_insert_id()`
      return print(knownDefault(write, column.ordinal, context), context)
    })
    const types = key.columns.map(({ type }) => type)
    return steps.keep(sql`select ${commaList(parts)}`, types)
  })
  for (const kept of stored) addAnswer(write, key, kept, steps, context)
}

function knownDefault(write: InsertWrite, ordinal: number, context: PrintContext): Expression {
  const column = columnAt(write.target.table, ordinal)
  return (
    defaultExpression(column, context) ??
    refuse(`RETURNING after a default of the key column ${column.name}`, undefined)
  )
}

/** The rows of a query are kept, so that their keys are known; keys of kept rows come first. */
function insertKept(
  write: InsertWrite,
  key: RowKey,
  steps: StepList,
  context: PrintContext,
): MaterializedStep {
  const source = sourceQuery(write, context)
  const { query, columns } = source
  const places = key.columns.map(({ ordinal, name }) => {
    const place = columns.findIndex((column) => column.ordinal === ordinal)
    return place >= 0
      ? place
      : refuse(`RETURNING of a query's rows without the key column ${name}`, undefined)
  })
  const printed = context.printQuery(query, context, 'value').sql
  const all = steps.keep(
    printed,
    columns.map(({ type }) => type),
  )
  const names = commaList(columns.map(({ name }) => identifier(name)))
  const kept = printMaterializedRows(all, context)
  const values = storedValues(source, (index) => kept.column(index).sql)
  const insert = sql`insert into ${tableName(write.target.table)} (${names})`
  steps.add(
    makeStep(sql`${insert} select ${values} from ${kept.sql} order by ${kept.position}`, 'nothing'),
  )
  return keepKeys(all, key, places, steps, context)
}

function keepKeys(
  all: MaterializedStep,
  key: RowKey,
  places: readonly number[],
  steps: StepList,
  context: PrintContext,
): MaterializedStep {
  const kept = printMaterializedRows(all, context)
  const parts = places.map(
    (place, index): Sql => sql`${kept.column(place).sql} as ${columnName(index)}`,
  )
  const text = sql`select ${commaList(parts)} from ${kept.sql} order by ${kept.position}`
  return steps.keep(
    text,
    key.columns.map(({ type }) => type),
  )
}

function addAnswer(
  { target, returning, security }: InsertWrite,
  key: RowKey,
  kept: MaterializedStep,
  steps: StepList,
  context: PrintContext,
): void {
  const rows = {
    kept: rowsOf(kept),
    keyFrom: 0,
    key,
    table: target.table,
    relation: target.newRow,
  }
  const check = security?.check
  if (check !== undefined) steps.add(assertStep(check, rows, context))
  if (returning === undefined) {
    steps.add(countStep(kept))
  } else {
    const { outputs } = returning
    steps.add(resultStep({ outputs, visible: security?.visible }, rows, context))
  }
}
