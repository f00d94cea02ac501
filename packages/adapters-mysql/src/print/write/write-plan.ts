/** @module The common parts of the steps of a write: the query on the written rows, and the answer. */

import { GatewayError, type PlanStep } from '@engine/core/adapter'
import type { Column, Table } from '@engine/core/catalog'
import { columnName, commaList, identifier, parameter, type Sql, sql } from '@engine/core/print'
import {
  type CommonTable,
  type Expression,
  readsTable,
  visitExpression,
  type Write,
} from '@engine/core/tree'
import { exportForm } from '../expression/forms/export-form.ts'
import { aliasOf, type PrintContext, print, refuse } from '../print-context.ts'
import { baseColumns } from '../query/base-table.ts'
import { raiseCheckFailure, raiseState } from '../raise.ts'
import { makeStep } from '../step/make-step.ts'
import { makeResultStep } from '../step/result-step.ts'
import { propertiesOf } from '../value-properties.ts'
import {
  type MaterializedRows,
  type MaterializedStep,
  printMaterializedRows,
} from './materialized-rows.ts'
import { isMaterializedRow, type RowKey, tableByKey } from './row-key.ts'

/** The steps of a plan, and the facts that the adapter needs to run them. */
export interface WriteSteps {
  readonly steps: readonly PlanStep[]
  /** Another writer may have stored the same key meanwhile: then all steps are repeated. */
  readonly retriesOnDuplicateKey: boolean
}

/** Steps in the order of execution. */
export interface StepList {
  readonly steps: readonly PlanStep[]
  /** Returns the index of the step. */
  add(step: PlanStep): number
  /** Adds a step that keeps rows with columns of these types. */
  keep(text: Sql, types: MaterializedStep['types']): MaterializedStep
}

export function createStepList(): StepList {
  const steps: PlanStep[] = []
  return {
    steps,
    add: (step) => steps.push(step) - 1,
    keep: (text, types) => ({ step: steps.push(makeStep(text, 'keep')) - 1, types }),
  }
}

/** The list after RETURNING, or after the SELECT that takes its place. */
export interface PrintedReturning {
  readonly outputs: Sql
  /** See `ResultStep`. */
  readonly stored: readonly (Column | undefined)[]
  readonly visibleColumn: number | undefined
}

export interface ReturningParts {
  readonly outputs: readonly Expression[]
  readonly check?: Expression | undefined
  readonly visible?: Expression | undefined
}

/**
 * Conditions follow the outputs. The list is never empty. A check fails the statement, which then leaves nothing:
 * `case when `t`.`owner` = ? then 1 else <raise> end`
 */
export function printReturning(
  { outputs, check, visible }: ReturningParts,
  context: PrintContext,
): PrintedReturning {
  const printed = outputs.map((each) => {
    const { stored } = propertiesOf(each, context)
    const isColumn = stored !== undefined && each.kind === 'column'
    return isColumn
      ? { stored, sql: columnOf(each, context) }
      : { stored: undefined, sql: exportForm(each, context) }
  })
  const named = printed.map((each, index) => sql`${each.sql} as ${columnName(index)}`)
  const conditions = [
    ...(visible === undefined ? [] : [print(visible, context)]),
    ...(check === undefined
      ? []
      : [sql`case when ${print(check, context)} then 1 else ${raiseCheckFailure()} end`]),
  ]
  const all = [...named, ...conditions]
  return {
    outputs: all.length === 0 ? sql`1` : commaList(all),
    stored: printed.map(({ stored }) => stored),
    visibleColumn: visible === undefined ? undefined : named.length,
  }
}

/** In its stored form: the reader converts it by its type. */
function columnOf(
  { relation, column }: Extract<Expression, { kind: 'column' }>,
  context: PrintContext,
): Sql {
  const found = context.relations.get(relation)
  if (found === undefined) throw new GatewayError('internal', 'a row that is not there')
  return found.column(column).sql
}

/** The written rows, with the table's current rows. */
export interface WrittenRows {
  /** Prints the rows that steps kept. */
  readonly kept: (context: PrintContext) => MaterializedRows
  /** Position of the row's current key in a kept row. */
  readonly keyFrom: number
  readonly key: RowKey
  readonly table: Table
  /** The relation of the table's row. */
  readonly relation: number
  /** A row that is not found by its kept key fails the statement: a trigger or a conversion may have changed the key. */
  readonly mustExist?: boolean
}

interface PrintedRows {
  readonly kept: MaterializedRows
  readonly table: Sql
  readonly match: Sql
  /** A part of the key of the table's row: NULL where there is no such row. */
  readonly presence: Sql
}

function printWrittenRows(rows: WrittenRows, context: PrintContext): PrintedRows {
  const kept = rows.kept(context)
  const alias = aliasOf(context.nextId(), context)
  context.relations.set(rows.relation, { column: baseColumns(rows.table, alias) })
  const [presence = sql`null`] = rows.key.parts(alias)
  return {
    kept,
    table: tableByKey(rows.table, rows.key.columns, alias),
    match: isMaterializedRow(rows.key, alias, kept, rows.keyFrom, context),
    presence,
  }
}

/** Every row must exist and satisfy the check as it is stored. */
export function assertStep(
  check: Expression,
  rows: WrittenRows,
  context: PrintContext,
  oldConditions: (kept: MaterializedRows) => readonly Sql[] = () => [],
): PlanStep {
  const { kept, table, match, presence } = printWrittenRows(rows, context)
  const condition = print(check, { ...context, oldConditions: oldConditions(kept) })
  const text = sql`select case when ${presence} is not null then ${condition} else 0 end from ${kept.sql} left join ${table} on ${match}`
  return makeStep(text, 'assert')
}

/** Fails when a written row is not found by its expected key. */
export function presenceStep(rows: WrittenRows, context: PrintContext): PlanStep {
  const { kept, table, match, presence } = printWrittenRows(rows, context)
  const text = sql`select case when ${presence} is null then ${raiseState('0A000')} end from ${kept.sql} left join ${table} on ${match}`
  return makeStep(text, 'nothing')
}

/** RETURNING as a query after the write. */
export function resultStep(
  parts: ReturningParts,
  rows: WrittenRows,
  context: PrintContext,
  prepare: (kept: MaterializedRows) => void = () => undefined,
): PlanStep {
  const { kept, table, match, presence } = printWrittenRows(rows, context)
  prepare(kept)
  const { outputs, stored, visibleColumn } = printReturning(parts, context)
  const joined =
    rows.mustExist === true
      ? sql`left join ${table} on ${match} where case when ${presence} is null then ${raiseState('0A000')} else 1 end`
      : sql`straight_join ${table} on ${match}`
  const text = sql`select ${outputs} from ${kept.sql} ${joined} order by ${kept.position}`
  return { ...makeResultStep(text, stored), visibleColumn }
}

/** The rows of one step. */
export function rowsOf(step: MaterializedStep): WrittenRows['kept'] {
  return (context) => printMaterializedRows(step, context)
}

/** The number of kept rows. */
export function countStep({ step }: MaterializedStep): PlanStep {
  return makeStep(sql`select json_length(${parameter({ from: 'step', step })})`, 'count')
}

/** Makes expressions refer to the target by the table's name, where it can have no alias. */
export function nameTarget(
  table: Table,
  relations: readonly number[],
  context: PrintContext,
): void {
  const column = baseColumns(table, targetName(table))
  for (const relation of relations) context.relations.set(relation, { column })
}

export function targetName(table: Table): Sql {
  return identifier(table.native.name)
}

/** PostgreSQL's RETURNING sees the tables as before the statement. */
export function refuseOwnTable(write: Write): void {
  const { returning, target } = write
  for (const output of returning?.outputs ?? []) {
    if (readsTable(output, target.table)) {
      refuse('a subquery in RETURNING that reads the written table', output.position)
    }
  }
  refuseWithInReturning(write)
}

/** The WITH queries of a write belong to the statement that finds its rows, not to the one that returns them. */
export function refuseWithInReturning({ returning, ctes }: Write): void {
  for (const output of returning?.outputs ?? []) {
    if (readsAny(output, ctes)) refuse('a WITH query in RETURNING', output.position)
  }
}

export function readsAny(expression: Expression, ctes: readonly CommonTable[]): boolean {
  if (ctes.length === 0) return false
  let isFound = false
  visitExpression(expression, {
    fromItem: (item) => {
      if (item.kind === 'cte' && ctes.some(({ id }) => id === item.cte)) isFound = true
    },
  })
  return isFound
}
