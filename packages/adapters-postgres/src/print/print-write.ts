/** @module INSERT, UPDATE and DELETE. */

import { GatewayError } from '@engine/core/adapter'
import {
  clauses,
  commaList,
  joinSql,
  keyword,
  relationName,
  repeatedRows,
  type Sql,
  sql,
} from '@engine/core/print'
import type {
  Assignment,
  DefaultCell,
  DeleteWrite,
  Expression,
  InsertSource,
  InsertWrite,
  OnConflict,
  SecuredTable,
  UpdateWrite,
  Write,
  WriteSecurity,
} from '@engine/core/tree'
import { assignedTarget } from './assigned-target.ts'
import { type Snapshot, snapshotOf } from './conflict-snapshot.ts'
import { printConflictTarget } from './print-conflict-target.ts'
import type { PrintContext } from './print-context.ts'
import { printFromList } from './print-from.ts'
import { printKeyedWrite } from './print-keyed-write.ts'
import { tableColumns, tableName } from './relation-columns.ts'
import { type ReturningList, returningClause } from './returning.ts'

/**
 * A write without its WITH clause.
 *
 * @throws {GatewayError} `internal` when the write carries no security.
 */
export function printWrite(write: Write, returning: ReturningList, context: PrintContext): Sql {
  const { security } = write
  if (security === undefined) {
    throw new GatewayError('internal', 'a write that was not authorized reached the printer')
  }
  if (write.kind === 'insert') return printInsert(write, security, returning, context)
  if (security.rows === undefined) {
    throw new GatewayError('internal', 'a write has no rows it may touch')
  }
  return needsKeys(security, security.rows)
    ? printKeyedWrite(write, { ...security, rows: security.rows }, returning, context)
    : printDirectWrite(write, security.rows, returning, context)
}

/** Cells that the caller sees differently, a barrier or conditions on the old row: the rows are read first. */
function needsKeys(security: WriteSecurity, rows: SecuredTable): boolean {
  return rows.masks.size > 0 || rows.barrier || security.oldConditions.length > 0
}

function printDirectWrite(
  write: UpdateWrite | DeleteWrite,
  rows: SecuredTable,
  returning: ReturningList,
  context: PrintContext,
): Sql {
  const { table, oldRow, newRow } = write.target
  const alias = relationName(newRow)
  const columns = tableColumns(table, alias)
  for (const relation of [oldRow, newRow, rows.id, rows.base]) {
    context.relations.set(relation, columns)
  }
  const others = write.kind === 'update' ? write.from : write.using
  const from = others.length === 0 ? undefined : printFromList(others, context)
  const conditions = [rows.filter, write.where].filter((condition) => condition !== undefined)
  const where = conditions.map((condition) => context.printExpression(condition, context))
  const head =
    write.kind === 'update'
      ? clauses(
          sql`update ${tableName(table)} as ${alias}`,
          printAssignments(write.assignments, write, context),
          from && sql`from ${from}`,
        )
      : clauses(sql`delete from ${tableName(table)} as ${alias}`, from && sql`using ${from}`)
  return clauses(
    head,
    where.length === 0 ? undefined : sql`where ${joinSql(where, ' and ')}`,
    returningClause(returning(context)),
  )
}

/** `set "a" = ..., "b" = default` */
function printAssignments(
  assignments: readonly Assignment[],
  write: Write,
  context: PrintContext,
): Sql {
  const each = assignments.map(
    (assignment) =>
      sql`${assignedTarget(write.target.table, assignment, context)} = ${printCell(assignment.value, context)}`,
  )
  return sql`set ${commaList(each)}`
}

function printCell(cell: Expression | DefaultCell, context: PrintContext): Sql {
  return cell.kind === 'default' ? keyword('default') : context.printExpression(cell, context)
}

function printInsert(
  write: InsertWrite,
  security: WriteSecurity,
  returning: ReturningList,
  context: PrintContext,
): Sql {
  const { table, oldRow, newRow } = write.target
  const alias = relationName(newRow)
  const source = printSource(write.source, context)
  const columns = tableColumns(table, alias)
  const before = snapshotOf(write, security, context)
  for (const relation of [oldRow, newRow]) context.relations.set(relation, columns)
  context.oldConditions = before?.conditions ?? []
  return clauses(
    sql`insert into ${tableName(table)} as ${alias}`,
    write.columns.length === 0
      ? undefined
      : sql`(${commaList(write.columns.map((column, i) => assignedTarget(table, { column, part: write.parts?.[i] }, context)))})`,
    write.overriding && keyword(overridings[write.overriding]),
    source,
    write.onConflict && printOnConflict(write.onConflict, write, security, before, context),
    returningClause(returning(context)),
  )
}

const overridings = {
  system: 'overriding system value',
  user: 'overriding user value',
} as const

function printSource(source: InsertSource, context: PrintContext): Sql {
  switch (source.kind) {
    case 'defaults':
      return keyword('default values')
    case 'query':
      return context.printQuery(source.query, context)
    case 'values': {
      const rows = source.rows.map((row) => printRow(row, context))
      return sql`values ${commaList(rows)}`
    }
    case 'repeated': {
      const shapes = source.shapes.map((row) => printRow(row, context))
      return sql`values ${repeatedRows(shapes, source.rows)}`
    }
  }
}

function printRow(row: readonly (Expression | DefaultCell)[], context: PrintContext): Sql {
  return sql`(${commaList(row.map((cell) => printCell(cell, context)))})`
}

function printOnConflict(
  { target, action }: OnConflict,
  write: InsertWrite,
  security: WriteSecurity,
  before: Snapshot | undefined,
  context: PrintContext,
): Sql {
  const { table } = write.target
  const head = clauses(keyword('on conflict'), target && printConflictTarget(table, target))
  if (action.kind === 'nothing') return sql`${head} do nothing`
  context.relations.set(action.excluded, tableColumns(table, keyword('excluded')))
  const permitted = [
    security.existing && context.printExpression(security.existing, context),
    before?.isUnchanged(),
  ].filter((condition) => condition !== undefined)
  const where = conflictCondition(permitted, action.where, context)
  return clauses(
    sql`${head} do update ${printAssignments(action.assignments, write, context)}`,
    where && sql`where ${where}`,
  )
}

/** CASE guarantees the order: the client's condition is never evaluated on a row that may not be written. */
function conflictCondition(
  existing: readonly Sql[],
  asked: Expression | undefined,
  context: PrintContext,
): Sql | undefined {
  const permitted = existing.length === 0 ? undefined : joinSql(existing, ' and ')
  const wanted = asked && context.printExpression(asked, context)
  if (permitted === undefined || wanted === undefined) return permitted ?? wanted
  return sql`case when ${permitted} then ${wanted} else false end`
}
