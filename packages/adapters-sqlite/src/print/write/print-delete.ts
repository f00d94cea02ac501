/** @module DELETE. */

import { GatewayError } from '@engine/core/adapter'
import { allOf, joinSql, parameter, type Sql, sql } from '@engine/core/print'
import { type DeleteWrite, hasSubquery, refersToItself, type SecuredTable } from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import { aliasOf, type PrintContext } from '../print-context.ts'
import { printTick } from '../print-tick.ts'
import { tableName } from '../query/base-table.ts'
import { printCtes } from '../query/print-query.ts'
import { printNarrowedTable } from '../query/print-secured-table.ts'
import { makeStep, type PrintedStep } from '../step/make-step.ts'
import {
  countStep,
  type KeptRows,
  printReturning,
  refuseOwnTable,
  resultStep,
} from './write-plan.ts'
import {
  isAmong,
  keptKey,
  nameTarget,
  printTargetFilter,
  type RowKey,
  rowKeyOf,
  targetName,
} from './write-target.ts'

export function printDelete(write: DeleteWrite, context: PrintContext): readonly PrintedStep[] {
  const { target, returning, security } = write
  const rows = security?.rows
  if (security === undefined || rows === undefined) {
    throw new GatewayError('internal', 'a write without its security')
  }
  refuseOwnTable(write)
  const { table } = target
  const key = rowKeyOf(table, undefined)
  // Rows that a cascade deletes are neither counted nor returned.
  const isChained = refersToItself(table, context.tables)
  const isReturnedLater =
    returning !== undefined &&
    (security.visible !== undefined || returning.outputs.some(hasSubquery))
  if (!isChained && !isReturnedLater) {
    const isDirect = rows.masks.size === 0 && !rows.barrier
    const remove = isDirect
      ? deleteInPlace(write, rows, key, context)
      : deleteAmong(write, rows, key, selectKeys(write, rows, key, context), context)
    if (returning === undefined) return [makeStep(remove, 'affected')]
    nameTarget(table, [target.newRow], context)
    const { outputs } = printReturning(returning.outputs, undefined, context)
    return [makeStep(sql`${remove} returning ${outputs}`, 'result')]
  }
  const keep = makeStep(selectKeys(write, rows, key, context), 'keep')
  const kept: KeptRows = {
    step: 0,
    keyOf: (item) => keptKey(key, item, 0),
    key,
    table,
    relation: target.newRow,
  }
  // RETURNING is computed before the rows are deleted, as PostgreSQL's subqueries see the tables before the DELETE.
  const answer =
    returning === undefined ? [] : [resultStep(returning.outputs, security.visible, kept, context)]
  const alias = aliasOf(context.nextId(), context)
  const keys = sql`select ${joinSql(keptKey(key, alias, 0), ', ')} from json_each(${parameter({ from: 'step', step: 0 })}) as ${alias}`
  const remove = makeStep(deleteAmong(write, rows, key, keys, context), 'nothing')
  return [keep, ...answer, remove, ...(returning === undefined ? [countStep(0)] : [])]
}

/** `delete from t where ...` */
function deleteInPlace(
  write: DeleteWrite,
  rows: SecuredTable,
  key: RowKey,
  context: PrintContext,
): Sql {
  const { table } = write.target
  nameTarget(table, [rows.id, rows.base, write.target.oldRow], context)
  const prefix = printCtes(write.ctes, context)
  const [first = sql`null`] = key.parts(targetName(table))
  const conditions = allOf([
    printTick(first, context.ticks),
    ...[rows.filter, ...rows.pushed, write.where].map((each) => each && printFilter(each, context)),
  ])
  const parts = [
    prefix,
    sql`delete from ${tableName(table)}`,
    conditions === undefined ? undefined : sql`where ${conditions}`,
  ]
  return joinSql(
    parts.filter((each) => each !== undefined),
    ' ',
  )
}

/** `with k as materialized (<keys>) delete from t where key in (select * from k) and <row filter>` */
function deleteAmong(
  write: DeleteWrite,
  rows: SecuredTable,
  key: RowKey,
  keys: Sql,
  context: PrintContext,
): Sql {
  const { table } = write.target
  const found = isAmong(key, table, sql`k`)
  const filter = printTargetFilter(table, rows, context)
  const where = filter === undefined ? found : sql`${found} and ${filter}`
  return sql`with k as materialized (${keys}) delete from ${tableName(table)} where ${where}`
}

function selectKeys(
  write: DeleteWrite,
  rows: SecuredTable,
  key: RowKey,
  context: PrintContext,
): Sql {
  const prefix = printCtes(write.ctes, context)
  const narrowed = printNarrowedTable(rows, context, key)
  context.relations.set(rows.id, { column: narrowed.column })
  context.relations.set(write.target.oldRow, { column: narrowed.column })
  const where = write.where === undefined ? sql`` : sql` where ${printFilter(write.where, context)}`
  const select = sql`select ${joinSql(narrowed.key, ', ')} from ${narrowed.sql}${where}`
  return prefix === undefined ? select : sql`${prefix} ${select}`
}
