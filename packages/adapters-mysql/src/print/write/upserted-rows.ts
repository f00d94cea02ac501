/** @module All rows that an upsert stored, in the order in which they were proposed. */
import { columnName, commaList, parameter, type Sql, sql } from '@engine/core/print'
import { aliasOf, anyValue, type PrintContext } from '../print-context.ts'
import { type ConflictingRows, isNew, isUpdatedAt, positionAt } from './conflicting-rows.ts'
import {
  type MaterializedRows,
  type MaterializedStep,
  printMaterializedRows,
} from './materialized-rows.ts'
import type { RowKey } from './row-key.ts'
import type { WrittenRows } from './write-plan.ts'

export interface UpsertedRows {
  readonly rowKey: RowKey
  readonly proposed: MaterializedStep
  readonly met: ConflictingRows
  /** The keys that the INSERT kept, or its rows with their positions among the proposed ones. */
  readonly inserted: MaterializedStep | WrittenRows['kept']
}

/** The keys of all stored rows, in the order of the proposed ones; followed by the conditions on the rows before the update. */
export function printUpserted(rows: UpsertedRows, context: PrintContext): MaterializedRows {
  const { rowKey, met, inserted } = rows
  const alias = aliasOf(context.nextId(), context)
  const kept = printMaterializedRows(met.kept, context)
  const keyOf = (values: readonly Sql[]): Sql =>
    commaList(values.map((value, index) => sql`${value} as ${columnName(index)}`))
  const updatedKey = rowKey.columns.map((_, index) => kept.column(met.newKeyFrom + index).sql)
  const conditions = met.conditions.map((place) => kept.column(place).sql)
  const updated = sql`select ${kept.column(positionAt).sql} as c0, ${keyOf([...updatedKey, ...conditions])} from ${kept.sql} where ${kept.column(isUpdatedAt).sql} = 1`
  const fresh =
    typeof inserted === 'function'
      ? freshByPosition(rows, inserted, keyOf, context)
      : freshByOrder(rows, inserted, keyOf, context)
  return {
    sql: sql`(${fresh} union all ${updated}) as ${alias}`,
    position: sql`${alias}.c0`,
    column: (index) => ({ ...anyValue, sql: sql`${alias}.${columnName(index)}`, isBare: false }),
  }
}

/** The number of these rows. */
export function countUpserted(rows: UpsertedRows, context: PrintContext): Sql {
  const { met, inserted } = rows
  if (typeof inserted === 'function')
    return sql`select count(*) from ${printUpserted(rows, context).sql}`
  const kept = printMaterializedRows(met.kept, context)
  const fresh = sql`json_length(${parameter({ from: 'step', step: inserted.step })})`
  return sql`select ${fresh} + (select count(*) from ${kept.sql} where ${kept.column(isUpdatedAt).sql} = 1)`
}

/** The n-th key of the INSERT belongs to the n-th row without a conflict. */
function freshByOrder(
  { rowKey, proposed, met }: UpsertedRows,
  inserted: MaterializedStep,
  keyOf: (values: readonly Sql[]) => Sql,
  context: PrintContext,
): Sql {
  const all = printMaterializedRows(proposed, context)
  const numbered = aliasOf(context.nextId(), context)
  const keys = printMaterializedRows(inserted, context)
  const ranked = sql`select ${all.position} as c0, row_number() over (order by ${all.position}) as c1 from ${all.sql} where ${isNew(all, met, context)}`
  const values = [
    ...rowKey.columns.map((_, index) => keys.column(index).sql),
    ...met.conditions.map(() => sql`1`),
  ]
  return sql`select ${numbered}.c0 as c0, ${keyOf(values)} from (${ranked}) as ${numbered} join ${keys.sql} on ${keys.position} = ${numbered}.c1`
}

function freshByPosition(
  { rowKey, met }: UpsertedRows,
  inserted: WrittenRows['kept'],
  keyOf: (values: readonly Sql[]) => Sql,
  context: PrintContext,
): Sql {
  const rows = inserted(context)
  const values = [
    ...rowKey.columns.map((_, index) => rows.column(index).sql),
    ...met.conditions.map(() => sql`1`),
  ]
  return sql`select ${rows.position} as c0, ${keyOf(values)} from ${rows.sql}`
}
