/** @module PostgreSQL asks whether a proposed row has NULL where there must be a value before it asks for conflicts. */
import { type Column, type InsertWrite, joinSql, type Sql, sql, type Table } from '@engine/core'
import { factsOf } from './facts.ts'
import type { SourceQuery } from './insert-source.ts'
import { type KeptStep, printKeptRows } from './kept-rows.ts'
import { makeStep } from './make-step.ts'
import type { PrintContext } from './print-context.ts'
import { raiseState } from './raise.ts'
import { notNull } from './stored-value.ts'
import type { StepList } from './write-plan.ts'

/**
 * `a is null or b is null`, of those columns that must and may not be; undefined when there are none.
 *
 * @throws {GatewayError} where a column that must have a value gets none.
 */
export function lacksValue(
  table: Table,
  source: SourceQuery,
  column: (place: number) => Sql,
  context: PrintContext,
): Sql | undefined {
  const isLeftOut = ({ nullable, hasDefault, generated, ordinal }: Column) =>
    !nullable &&
    !hasDefault &&
    generated === 'no' &&
    !source.columns.some((each) => each.ordinal === ordinal)
  if (source.rowCount !== undefined && table.columns.some(isLeftOut)) throw notNull()
  const tests = source.columns.flatMap(({ nullable }, place) =>
    nullable || !mayBeNull(source, place, context) ? [] : [sql`${column(place)} is null`],
  )
  return tests.length === 0 ? undefined : joinSql(tests, ' or ')
}

/** A step that fails for kept rows that lack a value. */
export function addRequired(
  { target }: InsertWrite,
  source: SourceQuery,
  step: KeptStep,
  steps: StepList,
  context: PrintContext,
): void {
  const kept = printKeptRows(step, context)
  const lacks = lacksValue(target.table, source, (place) => kept.column(place).sql, context)
  if (lacks === undefined) return
  const text = sql`select case when ${lacks} then ${raiseState('23502')} end from ${kept.sql}`
  steps.add(makeStep(text, 'nothing'))
}

function mayBeNull(
  { query, isNumbered }: SourceQuery,
  place: number,
  context: PrintContext,
): boolean {
  if (isNumbered[place] === true) return false
  if (query.kind !== 'values') return true
  return query.rows.some((row) => {
    const cell = row[place]
    return cell === undefined || factsOf(cell, context).isNullable
  })
}
