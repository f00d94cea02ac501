/** @module The faults of a proposed row that PostgreSQL reports before it checks for conflicts. */
import type { Column, Table } from '@engine/core/catalog'
import { integer, joinSql, type Sql, sql } from '@engine/core/print'
import type { InsertWrite } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { makeStep } from '../step/make-step.ts'
import { propertiesOf } from '../value-properties.ts'
import type { SourceQuery } from './insert-source.ts'
import { type MaterializedStep, printMaterializedRows } from './materialized-rows.ts'
import { notNull } from './stored-value.ts'
import type { StepList } from './write-plan.ts'

/**
 * `when a is null then <raise> when char_length(b) > 8 then <raise>`: for NULL where a value is required, and for texts that are
 * too long; undefined when no fault is possible.
 *
 * @throws {GatewayError} where a required column gets no value.
 */
export function printFaults(
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
  const missing = source.columns.flatMap(({ nullable }, place) =>
    nullable || !mayBeNull(source, place, context) ? [] : [sql`${column(place)} is null`],
  )
  const long = source.columns.flatMap((each, place) => {
    const length = lengthOf(each)
    return length === undefined
      ? []
      : [sql`char_length(trim(trailing ' ' from ${column(place)})) > ${integer(length)}`]
  })
  const whens = [
    ...(missing.length === 0
      ? []
      : [sql`when ${joinSql(missing, ' or ')} then ${raiseState('23502')}`]),
    ...(long.length === 0 ? [] : [sql`when ${joinSql(long, ' or ')} then ${raiseState('22001')}`]),
  ]
  return whens.length === 0 ? undefined : joinSql(whens, ' ')
}

/** A step that fails for kept rows that could not be stored. */
export function addFaults(
  { target }: InsertWrite,
  source: SourceQuery,
  step: MaterializedStep,
  steps: StepList,
  context: PrintContext,
): void {
  const kept = printMaterializedRows(step, context)
  const faults = printFaults(target.table, source, (place) => kept.column(place).sql, context)
  if (faults !== undefined) {
    steps.add(makeStep(sql`select case ${faults} end from ${kept.sql}`, 'nothing'))
  }
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
    return cell === undefined || propertiesOf(cell, context).isNullable
  })
}

/** The length of `varchar(n)` and `char(n)`, in characters. */
function lengthOf({ nativeType }: Column): number | undefined {
  const length = /^(?:var)?char\((\d+)\)/i.exec(nativeType)?.[1]
  return length === undefined ? undefined : Number(length)
}
