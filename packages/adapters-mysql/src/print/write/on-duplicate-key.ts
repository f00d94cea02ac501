/** @module ON CONFLICT DO UPDATE as ON DUPLICATE KEY UPDATE, where both have the same result. */

import {
  columnAt,
  columnName,
  commaList,
  identifier,
  integer,
  joinSql,
  type Sql,
  sql,
} from '@engine/core/print'
import {
  type Assignment,
  type Expression,
  hasSubquery,
  type InsertWrite,
  type OnConflict,
} from '@engine/core/tree'
import { aliasOf, type PrintContext } from '../print-context.ts'
import { baseColumns } from '../query/base-table.ts'
import { raiseState } from '../raise.ts'
import { makeStep } from '../step/make-step.ts'
import { makeResultStep } from '../step/result-step.ts'
import { orderAssignments } from './assignment-order.ts'
import { type KeyPart, metKey, uniqueKeysOf } from './conflict-keys.ts'
import { printRows, type SourceQuery } from './insert-source.ts'
import { readsColumn } from './reads-column.ts'
import { canReturn, insertInto } from './returning-insert.ts'
import { asCompared, nativeOf } from './row-key.ts'
import { assignedValue } from './stored-value.ts'
import { nameTarget, printReturning, type StepList } from './write-plan.ts'

export interface Upsert {
  readonly write: InsertWrite
  readonly source: SourceQuery
  /** The key that the statement names, with the parts of the proposed rows. */
  readonly key: readonly KeyPart[]
  readonly action: Extract<OnConflict['action'], { readonly kind: 'update' }>
}

/**
 * The assignments in the order in which the statement has them. Undefined where ON DUPLICATE KEY UPDATE does something else: unless
 * a conflict with another unique key is impossible, every conflicting row is updated, and the number of rows is known, as the server
 * counts affected rows differently.
 */
export function assignmentsOnConflict(
  upsert: Upsert,
  context: PrintContext,
): readonly Assignment[] | undefined {
  if (!isOnDuplicateKey(upsert, context)) return undefined
  const { action, write } = upsert
  const { oldRow, table } = write.target
  return context.traits.assignsAtOnce
    ? action.assignments
    : orderAssignments(action.assignments, oldRow, table)
}

function isOnDuplicateKey(upsert: Upsert, context: PrintContext): boolean {
  const { write, source, key, action } = upsert
  const { target, security, ctes, returning } = write
  const { table } = target
  const named = new Set(key.map(({ column }) => column.ordinal))
  const isOnly = uniqueKeysOf(table).every(
    (ordinals) =>
      (ordinals.length === named.size && ordinals.every((ordinal) => named.has(ordinal))) ||
      metKey(table, ordinals, source, context) === 'never',
  )
  if (!isOnly || table.columns.some((column) => nativeOf(column).inHiddenUnique === true)) {
    return false
  }
  if (write.source.kind !== 'values' || ctes.length > 0) return false
  if (action.where !== undefined || security?.existing !== undefined) return false
  if ((security?.oldConditions ?? []).length > 0) return false
  const values = action.assignments.flatMap(({ value }) =>
    value.kind === 'default' ? [] : [value],
  )
  const cells = write.source.rows.flat().filter((cell) => cell.kind !== 'default')
  if ([...values, ...cells].some(hasSubquery)) return false
  if (!canReturn(write)) return false
  if (values.some((value) => readsNumbered(value, upsert))) return false
  return context.traits.hasReturning || (returning === undefined && security?.check === undefined)
}

/** `excluded.id` of a column that the server numbers. */
function readsNumbered(value: Expression, { action, write, source }: Upsert): boolean {
  return readsColumn(value, action.excluded, (ordinal) => {
    const column = columnAt(write.target.table, ordinal)
    const isGiven = source.columns.some((each) => each.ordinal === ordinal)
    return !isGiven && nativeOf(column).isAutoIncrement === true
  })
}

export function addDuplicateKeyUpdate(
  upsert: Upsert,
  assignments: readonly Assignment[],
  steps: StepList,
  context: PrintContext,
): void {
  const { write, source, action } = upsert
  const { target, returning, security } = write
  if (source.rowCount !== 1) addOncePerKey(upsert, steps, context)
  const insert = insertInto(write, printRows(write, context))
  const proposed = aliasOf(action.excluded, context)
  const isAlias = context.traits.proposedRow === 'alias'
  nameTarget(target.table, [target.oldRow, target.newRow], context)
  context.relations.set(action.excluded, {
    column: (ordinal) => {
      const column = baseColumns(target.table, proposed)(ordinal)
      const name = identifier(columnAt(target.table, ordinal).name)
      const value = isAlias ? column.sql : sql`values(${name})`
      return { ...column, sql: value, isNullable: true, isBare: false }
    },
  })
  const sets = assignments.map((each) => {
    const column = columnAt(target.table, each.column)
    return sql`${identifier(column.name)} = ${assignedValue(column, each, context)}`
  })
  const named = isAlias ? sql` as ${proposed}` : sql``
  const text = sql`${insert}${named} on duplicate key update ${commaList(sets)}`
  if (!context.traits.hasReturning) {
    steps.add(makeStep(text, 'nothing'))
    steps.add(makeStep(countOf(source.rowCount ?? 0), 'count'))
    return
  }
  const { check, visible } = security ?? {}
  const outputs = returning?.outputs ?? []
  const printed = printReturning({ outputs, check, visible }, context)
  // Returned rows are counted where RETURNING was not requested: the server counts affected rows differently.
  const step = makeResultStep(sql`${text} returning ${printed.outputs}`, printed.stored)
  steps.add({ ...step, visibleColumn: printed.visibleColumn })
}

function countOf(rows: number): Sql {
  return sql`select ${integer(rows)}`
}

/** Fails when two proposed rows have the same key (SQLSTATE 21000); the server would update one row twice. */
function addOncePerKey({ source, key }: Upsert, steps: StepList, context: PrintContext): void {
  const alias = aliasOf(context.nextId(), context)
  const rows = context.printQuery(source.query, context, 'working').sql
  const parts = key.flatMap(({ column, value }) =>
    typeof value === 'number'
      ? [asCompared(column, sql`${alias}.${columnName(value)}`, context)]
      : [],
  )
  const present = joinSql(
    parts.map((part) => sql`${part} is not null`),
    ' and ',
  )
  const text = sql`select case when count(*) > 1 then ${raiseState('21000')} end from (${rows}) as ${alias} where ${present} group by ${commaList(parts)}`
  steps.add(makeStep(text, 'nothing'))
}
