/** @module The common parts of the steps of a write: the query on the written rows, and the answer. */

import type { Table } from '@engine/core/catalog'
import { columnName, commaList, keyword, parameter, type Sql, sql } from '@engine/core/print'
import { type Expression, readsTable, type Write } from '@engine/core/tree'
import { hasBoundedLength } from '../bounded-text.ts'
import { storedOr } from '../expression/comparison.ts'
import { aliasOf, call, type PrintContext, print, refuse } from '../print-context.ts'
import { baseColumns, tableName } from '../query/base-table.ts'
import { resultForm } from '../query/result-form.ts'
import { makeStep, type PrintedStep } from '../step/make-step.ts'
import { propertiesOf } from '../value-properties.ts'
import { isRow, type RowKey } from './write-target.ts'

/** The list after RETURNING, or after the SELECT that takes its place. */
export interface PrintedReturning {
  readonly outputs: Sql
  readonly checkColumn: number | undefined
  readonly visibleColumn: number | undefined
}

/** Outputs in their stored form; the reader converts them by their types. */
export function printReturning(
  outputs: readonly Expression[],
  visible: Expression | undefined,
  context: PrintContext,
): PrintedReturning {
  const printed = outputs.map((each) =>
    propertiesOf(each, context).stored === undefined
      ? resultForm(print(each, context), each.type, context)
      : storedOr(each, context),
  )
  const named = printed.map((each, index) => sql`${each} as ${columnName(index)}`)
  const condition = visible === undefined ? [] : [print(visible, context)]
  return {
    outputs: commaList([...named, ...condition, ...sizeGuard(outputs, printed, context)]),
    checkColumn: undefined,
    visibleColumn: visible === undefined ? undefined : printed.length,
  }
}

/** The number of values in a row that may all be long at once. */
const mostLongValues = 8

/** After everything else: fails before a row is returned that is too large for the memory of a thread. */
function sizeGuard(
  outputs: readonly Expression[],
  printed: readonly Sql[],
  context: PrintContext,
): readonly Sql[] {
  const long = printed.filter((_, index) => {
    const output = outputs[index]
    return output !== undefined && !hasBoundedLength(output, context)
  })
  if (long.length <= mostLongValues) return []
  const sizes = long.map((each) => sql`ifnull(octet_length(${each}), 0)`)
  return [
    call(
      'row_too_large',
      sizes.reduce((sum, each) => sql`${sum} + ${each}`),
    ),
  ]
}

/** The rows that a step kept, with the table's current rows. */
export interface KeptRows {
  readonly step: number
  /** The current key of a row. */
  readonly keyOf: (kept: Sql) => readonly Sql[]
  readonly key: RowKey
  readonly table: Table
  /** The relation of the table's row. */
  readonly relation: number
}

/** ` from json_each(...) as k [left] join table as t on ...`; names the columns of `relation`. */
function printKeptRows(
  rows: KeptRows,
  context: PrintContext,
  join: 'join' | 'left join' = 'join',
): { readonly from: Sql; readonly kept: Sql; readonly row: Sql } {
  const kept = aliasOf(context.nextId(), context)
  const alias = aliasOf(context.nextId(), context)
  const column = baseColumns(rows.table, alias)
  context.relations.set(rows.relation, { column })
  const source = sql`json_each(${parameter({ from: 'step', step: rows.step })}) as ${kept}`
  const match = isRow(rows.key, alias, rows.keyOf(kept))
  return {
    from: sql`${source} ${keyword(join)} ${tableName(rows.table)} as ${alias} on ${match}`,
    kept,
    row: alias,
  }
}

/** Every row must be found and satisfy the check as it is stored. */
export function assertStep(
  check: Expression,
  rows: KeptRows,
  context: PrintContext,
  oldConditions: (kept: Sql, row: Sql) => readonly Sql[] = () => [],
): PrintedStep {
  const { from, kept, row } = printKeptRows(rows, context, 'left join')
  const condition = print(check, { ...context, oldConditions: oldConditions(kept, row) })
  const [presence = sql`null`] = rows.key.parts(row)
  const holds = sql`case when ${presence} is not null then ${condition} else false end`
  return makeStep(sql`select ${holds} from ${from}`, 'assert')
}

/** RETURNING as a query after the write. */
export function resultStep(
  outputs: readonly Expression[],
  visible: Expression | undefined,
  rows: KeptRows,
  context: PrintContext,
  prepare: (kept: Sql) => void = () => undefined,
): PrintedStep {
  const { from, kept } = printKeptRows(rows, context)
  prepare(kept)
  const returning = printReturning(outputs, visible, context)
  const step = makeStep(
    sql`select ${returning.outputs} from ${from} order by ${kept}.key`,
    'result',
  )
  return { ...step, visibleColumn: returning.visibleColumn }
}

export function countStep(step: number): PrintedStep {
  const rows = parameter({ from: 'step', step })
  return makeStep(sql`select json_array_length(${rows})`, 'count')
}

/** PostgreSQL's RETURNING sees the tables as before the statement. */
export function refuseOwnTable(write: Write): void {
  for (const output of write.returning?.outputs ?? []) {
    if (readsTable(output, write.target.table)) {
      refuse('a subquery in RETURNING that reads the written table', output.position)
    }
  }
}
