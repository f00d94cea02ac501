/** @module DELETE. */
import {
  type DeleteWrite,
  GatewayError,
  hasSubquery,
  joinSql,
  refersToItself,
  type SecuredTable,
  type Sql,
  sql,
} from '@engine/core'
import { makeStep, type PrintedStep } from './make-step.ts'
import { aliasOf, type PrintContext } from './print-context.ts'
import { allOf, printFilter } from './print-filter.ts'
import { printCtes } from './print-query.ts'
import { baseColumns, printNarrowedTable, tableName } from './print-secured-table.ts'
import { countStep, printReturning, refuseOwnTable } from './write-plan.ts'
import { nameTarget, type RowKey, rowKeyOf, targetName } from './write-target.ts'

export function printDelete(write: DeleteWrite, context: PrintContext): readonly PrintedStep[] {
  const { target, returning, security } = write
  const rows = security?.rows
  if (security === undefined || rows === undefined) {
    throw new GatewayError('internal', 'a write without its security')
  }
  refuseOwnTable(write)
  const key = rowKeyOf(target.table, undefined)
  const isDirect = rows.masks.size === 0 && !rows.barrier
  const remove = isDirect
    ? deleteInPlace(write, rows, key, context)
    : deleteByKey(write, rows, key, context)
  const isChained = refersToItself(target.table, context.tables)
  if (returning === undefined) {
    return isChained
      ? [
          makeStep(selectKeys(write, rows, key, context), 'keep'),
          makeStep(remove, 'nothing'),
          countStep(0),
        ]
      : [makeStep(remove, 'affected')]
  }
  const { visible } = security
  if (visible === undefined && !isChained && !returning.outputs.some(hasSubquery)) {
    nameTarget(target.table, [target.newRow], context)
    const { outputs } = printReturning(returning.outputs, undefined, context)
    return [makeStep(sql`${remove} returning ${outputs}`, 'result')]
  }
  return [deletedRows(write, rows, key, context), makeStep(remove, 'nothing')]
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
    context.hasTicks ? sql`tick(${first})` : undefined,
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

/** `delete from t where key in (select key from <rows as the caller sees them> where ...)` */
function deleteByKey(
  write: DeleteWrite,
  rows: SecuredTable,
  key: RowKey,
  context: PrintContext,
): Sql {
  const { table } = write.target
  const parts = joinSql(key.parts(targetName(table)), ', ')
  const keys = selectKeys(write, rows, key, context)
  return sql`delete from ${tableName(table)} where (${parts}) in (${keys})`
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

/** RETURNING is answered before the rows are gone, as PostgreSQL shows its subqueries the tables. */
function deletedRows(
  write: DeleteWrite,
  rows: SecuredTable,
  key: RowKey,
  context: PrintContext,
): PrintedStep {
  const { table, newRow } = write.target
  const keys = selectKeys(write, rows, key, context)
  const alias = aliasOf(context.nextId(), context)
  context.relations.set(newRow, { column: baseColumns(table, alias) })
  const returning = printReturning(write.returning?.outputs ?? [], write.security?.visible, context)
  const parts = joinSql(key.parts(alias), ', ')
  const source = sql`${tableName(table)} as ${alias} where (${parts}) in (${keys})`
  const step = makeStep(sql`select ${returning.outputs} from ${source}`, 'result')
  return { ...step, visibleColumn: returning.visibleColumn }
}
