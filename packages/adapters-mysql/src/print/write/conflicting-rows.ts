/** @module Rows that an upsert conflicts with: found, locked, and kept with their new values. */

import type { SqlType } from '@engine/core/catalog'
import { columnAt, columnName, commaList, identifier, type Sql, sql } from '@engine/core/print'
import { type Expression, unsupportedConstruct } from '@engine/core/tree'
import { exportForm } from '../expression/forms/export-form.ts'
import { aliasOf, anyValue, type PrintContext, print, refuse } from '../print-context.ts'
import { baseColumns } from '../query/base-table.ts'
import { keyValues } from './conflict-keys.ts'
import { defaultExpression } from './default-cell.ts'
import {
  type MaterializedRows,
  type MaterializedStep,
  printMaterializedRows,
} from './materialized-rows.ts'
import type { Upsert } from './on-duplicate-key.ts'
import { hasKey, isMaterializedRow, type RowKey, tableByKey } from './row-key.ts'
import { assignedInJoin, storedByUpdate } from './stored-value.ts'
import type { StepList } from './write-plan.ts'

/** Proposed rows that conflict with an existing row: their positions among the proposed ones, and the changes of the row. */
export interface ConflictingRows {
  readonly kept: MaterializedStep
  /** Position of the first part of the row's key before the update. */
  readonly oldKeyFrom: number
  /** Position of the first part of its key after the update. */
  readonly newKeyFrom: number
  /** By assignment; undefined for DEFAULT. */
  readonly values: readonly (number | undefined)[]
  /** `security.oldConditions` of the row before the update. */
  readonly conditions: readonly number[]
}

/** Positions in a kept row of `ConflictingRows`. */
export const positionAt = 0
export const isUpdatedAt = 1
const keyAt = 2

const int8: SqlType = { oid: 20, typmod: -1 }

export function materializeConflicting(
  upsert: Upsert,
  rowKey: RowKey,
  proposed: MaterializedStep,
  steps: StepList,
  context: PrintContext,
): ConflictingRows {
  const { write, key, action } = upsert
  const { table, oldRow } = write.target
  const oldConditions = write.security?.oldConditions ?? []
  const kept = printMaterializedRows(proposed, context)
  const alias = aliasOf(oldRow, context)
  context.relations.set(oldRow, { column: baseColumns(table, alias) })
  context.relations.set(action.excluded, { column: excludedColumn(upsert, kept, context) })
  const condition = updateCondition(upsert, context)
  const whenUpdated = (value: Sql): Sql =>
    condition === undefined ? value : sql`case when ${condition} then ${value} end`
  const width = rowKey.columns.length
  const isChanged = action.assignments.some(({ column }) =>
    rowKey.columns.some(({ ordinal }) => ordinal === column),
  )
  const newKeyFrom = isChanged ? keyAt + width : keyAt
  let next = newKeyFrom + width
  const values = action.assignments.map(({ value }) => {
    if (value.kind === 'default') return undefined
    next += 1
    return next - 1
  })
  const conditionsFrom = next
  const newKey = isChanged ? newKeyOf(upsert, rowKey) : []
  const computed = action.assignments.flatMap(({ value }) =>
    value.kind === 'default' ? [] : [value],
  )
  const keyTypes = rowKey.columns.map(({ type }) => type)
  const outputs = [
    kept.position,
    condition === undefined ? sql`1` : sql`case when ${condition} then 1 else 0 end`,
    ...rowKey.parts(alias),
    ...newKey.map((value) => whenUpdated(print(value, context))),
    ...computed.map((value) => whenUpdated(exportForm(value, context))),
    ...oldConditions.map((each) => print(each, context)),
  ]
  const named = outputs.map((each, index) => sql`${each} as ${columnName(index)}`)
  const keyColumns = key.map(({ column }) => column)
  const match = hasKey(
    keyColumns,
    keyValues(key, (place) => kept.column(place).sql, context),
    alias,
    context,
  )
  const text = sql`select ${commaList(named)} from ${kept.sql} straight_join ${tableByKey(table, keyColumns, alias)} on ${match}${forUpdate(alias, context)}`
  const types = [
    int8,
    int8,
    ...keyTypes,
    ...(isChanged ? keyTypes : []),
    ...computed.map(({ type }) => type),
    ...oldConditions.map(({ type }) => type),
  ]
  return {
    kept: steps.keep(text, types),
    oldKeyFrom: keyAt,
    newKeyFrom,
    values,
    conditions: oldConditions.map((_, index) => conditionsFrom + index),
  }
}

/** With the blank before it. */
function forUpdate(alias: Sql, { traits }: PrintContext): Sql {
  return traits.hasLockOf ? sql` for update of ${alias}` : sql` for update`
}

/** CASE keeps the order of evaluation: the client's condition is never evaluated on a row that may not be touched. */
function updateCondition({ write, action }: Upsert, context: PrintContext): Sql | undefined {
  const { existing } = write.security ?? {}
  const permitted = existing && print(existing, context)
  const wanted = action.where && print(action.where, context)
  if (permitted === undefined || wanted === undefined) return permitted ?? wanted
  return sql`case when ${permitted} then ${wanted} else 0 end`
}

/** Columns of `excluded`: the proposed value, or the default of a column without a value. */
function excludedColumn(
  { source, write }: Upsert,
  kept: MaterializedRows,
  context: PrintContext,
): (ordinal: number) => ReturnType<MaterializedRows['column']> {
  return (ordinal) => {
    const place = source.columns.findIndex((column) => column.ordinal === ordinal)
    if (place >= 0) return kept.column(place)
    const column = columnAt(write.target.table, ordinal)
    const value =
      defaultExpression(column, context) ??
      refuse(`"excluded" of the column ${column.name}, which gets its default`, undefined)
    return { ...anyValue, sql: print(value, context), isBare: false }
  }
}

function newKeyOf({ action, write }: Upsert, rowKey: RowKey): readonly Expression[] {
  return rowKey.columns.map(({ ordinal, type, name }) => {
    const value = action.assignments.find(({ column }) => column === ordinal)?.value
    if (value?.kind === 'default') {
      throw unsupportedConstruct(`DEFAULT of the key column ${name} in SET`, 'MySQL', undefined)
    }
    return value ?? { kind: 'column', relation: write.target.oldRow, column: ordinal, type }
  })
}

/** A proposed row without a conflict. */
export function isNew(
  kept: MaterializedRows,
  { kept: step }: ConflictingRows,
  context: PrintContext,
): Sql {
  const met = printMaterializedRows(step, context)
  return sql`${kept.position} not in (select ${met.column(positionAt).sql} from ${met.sql})`
}

/** `update <met rows> straight_join t as t1 on <same key> set t1.c = <kept value> where <is updated>` */
export function updateConflicting(
  { write, action }: Upsert,
  rowKey: RowKey,
  met: ConflictingRows,
  context: PrintContext,
): Sql {
  const { table } = write.target
  const kept = printMaterializedRows(met.kept, context)
  const alias = aliasOf(context.nextId(), context)
  const sets = action.assignments.map((each, index) => {
    const column = columnAt(table, each.column)
    const place = met.values[index]
    const value =
      place === undefined
        ? assignedInJoin(column, each, context)
        : storedByUpdate(column, kept.column(place).sql, context)
    return sql`${alias}.${identifier(column.name)} = ${value}`
  })
  const match = isMaterializedRow(rowKey, alias, kept, met.oldKeyFrom, context)
  return sql`update ${kept.sql} straight_join ${tableByKey(table, rowKey.columns, alias)} on ${match} set ${commaList(sets)} where ${kept.column(isUpdatedAt).sql} = 1`
}
