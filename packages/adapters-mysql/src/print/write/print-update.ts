/** @module UPDATE. */

import {
  allOf,
  clauses,
  columnAt,
  commaList,
  type ForeignColumn,
  foreignColumns,
  identifier,
  type Sql,
  sql,
  withKept,
} from '@engine/core/print'
import type { Expression, UpdateWrite } from '@engine/core/tree'
import { exportForm } from '../expression/forms/export-form.ts'
import { printFilter } from '../expression/print-filter.ts'
import { aliasOf, type PrintContext, print, refuse } from '../print-context.ts'
import { baseColumns, tableName } from '../query/base-table.ts'
import { makeStep } from '../step/make-step.ts'
import {
  type MaterializedValue,
  materializeRows,
  printTargetFilter,
  securityOf,
} from './find-rows.ts'
import {
  type MaterializedRows,
  type MaterializedStep,
  printMaterializedRows,
} from './materialized-rows.ts'
import { isMaterializedRow, type RowKey, rowKeyOf, tableByKey } from './row-key.ts'
import { assignedInJoin, assignedValue, storedByUpdate } from './stored-value.ts'
import { assignmentsInPlace } from './update-in-place.ts'
import {
  assertStep,
  createStepList,
  presenceStep,
  refuseOwnTable,
  resultStep,
  rowsOf,
  type WriteSteps,
  type WrittenRows,
} from './write-plan.ts'

export function printUpdate(write: UpdateWrite, context: PrintContext): WriteSteps {
  const { returning, target } = write
  const { check, visible, rows } = securityOf(write)
  refuseOwnTable(write)
  const steps = createStepList()
  const isAlone = check === undefined && returning === undefined
  const inPlace = assignmentsInPlace(write, rows, isAlone, context)
  if (isAlone && inPlace !== undefined) {
    const ordered = { ...write, assignments: inPlace }
    steps.add(makeStep(updateInPlace(ordered, context), 'affected'))
    return { steps: steps.steps, retriesOnDuplicateKey: false }
  }
  const isInPlace = inPlace !== undefined
  const key = rowKeyOf(target.table)
  const layout = layoutOf(write, key, isInPlace, context)
  const kept = materializeRows(write, key, layout.values, steps, context)
  const update = isInPlace
    ? updateKept(write, kept, key, context)
    : updateFromKept(write, kept, key, layout, context)
  steps.add(makeStep(update, returning === undefined ? 'affected' : 'nothing'))
  const written: WrittenRows = {
    kept: rowsOf(kept),
    keyFrom: layout.keyFrom,
    key,
    table: target.table,
    relation: target.newRow,
  }
  if (layout.keyFrom > 0) steps.add(presenceStep(written, context))
  if (check !== undefined) {
    const oldConditions = (each: MaterializedRows) =>
      layout.conditions.map((index) => each.column(index).sql)
    steps.add(assertStep(check, written, context, oldConditions))
  }
  if (returning !== undefined) {
    const outputs = returning.outputs.map((each) => withKept(each, layout.foreign))
    steps.add(
      resultStep({ outputs, visible }, written, context, (each) =>
        nameForeign(each, layout, context),
      ),
    )
  }
  return { steps: steps.steps, retriesOnDuplicateKey: false }
}

/** `update t as t1 set t1.c = ... where ...` */
function updateInPlace(write: UpdateWrite, context: PrintContext): Sql {
  const { target } = write
  const { rows } = securityOf(write)
  const alias = aliasOf(target.newRow, context)
  nameRow(write, alias, context)
  const conditions = allOf(
    [rows.filter, ...rows.pushed, write.where].map((each) => each && printFilter(each, context)),
  )
  return clauses(
    sql`update ${tableName(target.table)} as ${alias} set ${assignments(write, alias, assignedValue, context)}`,
    conditions && sql`where ${conditions}`,
  )
}

/** `update <kept rows> straight_join t as t1 on <same key> set t1.c = ...` */
function updateKept(
  write: UpdateWrite,
  step: MaterializedStep,
  key: RowKey,
  context: PrintContext,
): Sql {
  const { target } = write
  const kept = printMaterializedRows(step, context)
  const alias = aliasOf(target.newRow, context)
  nameRow(write, alias, context)
  const match = isMaterializedRow(key, alias, kept, 0, context)
  const set = assignments(write, alias, assignedInJoin, context)
  const where = printTargetFilter(write, alias, context) ?? sql``
  return sql`update ${kept.sql} straight_join ${tableByKey(target.table, key.columns, alias)} on ${match} set ${set}${where}`
}

function nameRow({ target, security }: UpdateWrite, alias: Sql, context: PrintContext): void {
  const column = baseColumns(target.table, alias)
  for (const relation of [target.oldRow, security?.rows?.id, security?.rows?.base]) {
    if (relation !== undefined) context.relations.set(relation, { column })
  }
}

function assignments(
  write: UpdateWrite,
  alias: Sql,
  printValue: typeof assignedValue,
  context: PrintContext,
): Sql {
  return commaList(
    write.assignments.map((each) => {
      const column = columnAt(write.target.table, each.column)
      return sql`${alias}.${identifier(column.name)} = ${printValue(column, each, context)}`
    }),
  )
}

/** `update <kept rows> straight_join t as t1 on <same key> set t1.c = <kept value>` */
function updateFromKept(
  write: UpdateWrite,
  step: MaterializedStep,
  key: RowKey,
  layout: Layout,
  context: PrintContext,
): Sql {
  const { target } = write
  const kept = printMaterializedRows(step, context)
  const alias = aliasOf(context.nextId(), context)
  const sets = write.assignments.map((each, index) => {
    const column = columnAt(target.table, each.column)
    const place = layout.assigned[index]
    const value =
      place === undefined
        ? assignedInJoin(column, each, context)
        : storedByUpdate(column, kept.column(place).sql, context)
    return sql`${alias}.${identifier(column.name)} = ${value}`
  })
  const match = isMaterializedRow(key, alias, kept, 0, context)
  return sql`update ${kept.sql} straight_join ${tableByKey(target.table, key.columns, alias)} on ${match} set ${commaList(sets)}${printTargetFilter(write, alias, context) ?? sql``}`
}

/** The kept values of each row after its key, and their positions in the kept row. */
interface Layout {
  /** Position of the key after the update; 0 where the update does not change it. */
  readonly keyFrom: number
  /** `security.oldConditions` */
  readonly conditions: readonly number[]
  /** Positions of new values by assignment; undefined for DEFAULT, and where values are computed in place. */
  readonly assigned: readonly (number | undefined)[]
  /** Columns of FROM that RETURNING shows, from `foreignFrom` on. */
  readonly foreign: readonly ForeignColumn[]
  readonly foreignFrom: number
  readonly values: Parameters<typeof materializeRows>[2]
}

function layoutOf(
  write: UpdateWrite,
  key: RowKey,
  isInPlace: boolean,
  context: PrintContext,
): Layout {
  const { oldConditions } = securityOf(write)
  const references =
    write.returning === undefined ? [] : foreignColumns(write.returning.outputs, write.from)
  const changesKey = key.columns.some(({ ordinal }) => assignmentTo(write, ordinal) !== undefined)
  let next = key.columns.length
  const take = (count: number): number => {
    next += count
    return next - count
  }
  const keyFrom = changesKey ? take(key.columns.length) : 0
  const conditions = oldConditions.map(() => take(1))
  const assigned = write.assignments.map(({ value }) =>
    isInPlace || value.kind === 'default' ? undefined : take(1),
  )
  const foreignFrom = take(references.length)
  const values: Layout['values'] = (rows) => [
    ...(changesKey ? newKey(write, key, rows.key, context) : []),
    ...rows.raw.map((condition): MaterializedValue => ({ sql: condition, type: boolType })),
    ...write.assignments.flatMap(({ value }) =>
      isInPlace || value.kind === 'default' ? [] : [keptValue(value, context)],
    ),
    ...references.map((each) => keptValue(each, context)),
  ]
  const foreign = references.map((reference) => ({ reference, relation: context.nextId() }))
  return { keyFrom, conditions, assigned, foreign, foreignFrom, values }
}

const boolType = { oid: 16, typmod: -1 }

function keptValue(value: Expression, context: PrintContext): MaterializedValue {
  return { sql: exportForm(value, context), type: value.type }
}

function assignmentTo(
  { assignments: all }: UpdateWrite,
  ordinal: number,
): UpdateWrite['assignments'][number] | undefined {
  return all.find(({ column }) => column === ordinal)
}

/** The key after the update; `old` has the parts of the key before it. */
function newKey(
  write: UpdateWrite,
  key: RowKey,
  old: readonly Sql[],
  context: PrintContext,
): readonly MaterializedValue[] {
  return key.columns.map(({ ordinal, type, name }, index) => {
    const value = assignmentTo(write, ordinal)?.value
    if (value?.kind === 'default') {
      return refuse(`DEFAULT of the key column ${name} in SET`, undefined)
    }
    return { sql: value === undefined ? (old[index] ?? sql`null`) : print(value, context), type }
  })
}

function nameForeign(
  kept: MaterializedRows,
  { foreign, foreignFrom }: Layout,
  context: PrintContext,
): void {
  for (const [index, { relation }] of foreign.entries()) {
    const column = kept.column(foreignFrom + index)
    context.relations.set(relation, { column: () => column })
  }
}
