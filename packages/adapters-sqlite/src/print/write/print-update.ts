/** @module UPDATE. */

import { GatewayError } from '@engine/core/adapter'
import type { Table } from '@engine/core/catalog'
import {
  allOf,
  columnAt,
  columnName,
  commaList,
  type ForeignColumn,
  foreignColumns,
  identifier,
  joinSql,
  parameter,
  type Sql,
  sql,
  withKept,
} from '@engine/core/print'
import {
  type ColumnReference,
  changedTables,
  type Expression,
  hasSubquery,
  readsOneOf,
  type SecuredTable,
  type UpdateWrite,
} from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import { aliasOf, type PrintContext, print } from '../print-context.ts'
import { printTick } from '../print-tick.ts'
import { tableName } from '../query/base-table.ts'
import { printFrom } from '../query/print-from.ts'
import { printCtes } from '../query/print-query.ts'
import { printNarrowedTable } from '../query/print-secured-table.ts'
import { makeStep, type PrintedStep } from '../step/make-step.ts'
import { assignedValue, printAssignments } from './assignments.ts'
import { nameKept } from './foreign-columns.ts'
import { fromKept, keptForm } from './kept-value.ts'
import { storedForm } from './store-value.ts'
import {
  assertStep,
  countStep,
  type KeptRows,
  printReturning,
  refuseOwnTable,
  resultStep,
} from './write-plan.ts'
import {
  isRow,
  keptItem,
  keptKey,
  nameTarget,
  printTargetFilter,
  type RowKey,
  rowKeyOf,
  targetName,
} from './write-target.ts'

export function printUpdate(write: UpdateWrite, context: PrintContext): readonly PrintedStep[] {
  const { target, returning, security } = write
  const rows = security?.rows
  if (security === undefined || rows === undefined) {
    throw new GatewayError('internal', 'a write without its security')
  }
  refuseOwnTable(write)
  const key = rowKeyOf(target.table, undefined)
  const { check, visible, oldConditions } = security
  const foreign = returning === undefined ? [] : foreignColumns(returning.outputs, write.from)
  if (oldConditions.length > 0 || foreign.length > 0) {
    return updateInSteps(write, rows, key, foreign, context)
  }
  const update = needsSource(write, rows, context)
    ? updateFromSource(write, rows, key, context)
    : updateInPlace(write, rows, context)
  nameTarget(target.table, [target.newRow], context)
  if (check === undefined && visible === undefined) {
    if (returning === undefined) return [makeStep(update, 'affected')]
    const { outputs } = printReturning(returning.outputs, undefined, context)
    return [makeStep(sql`${update} returning ${outputs}`, 'result')]
  }
  // The keys in their stored form: no expression of the client is computed again.
  const keys = commaList(key.parts(targetName(target.table)))
  const kept: KeptRows = {
    step: 0,
    keyOf: (item) => keptKey(key, item, 0),
    key,
    table: target.table,
    relation: target.newRow,
  }
  return [
    makeStep(sql`${update} returning ${keys}`, 'keep'),
    ...(check === undefined ? [] : [assertStep(check, kept, context)]),
    returning === undefined ? countStep(0) : resultStep(returning.outputs, visible, kept, context),
  ]
}

/**
 * Conditions on the old rows, and columns of FROM, are not available after an UPDATE: so the rows are found, their new values are
 * computed and kept, and then the rows are changed.
 */
function updateInSteps(
  write: UpdateWrite,
  rows: SecuredTable,
  key: RowKey,
  references: readonly ColumnReference[],
  context: PrintContext,
): readonly PrintedStep[] {
  const { target, returning, security } = write
  const { check, visible } = security ?? {}
  const found = keepStep(write, rows, key, references, context)
  const kept: KeptRows = {
    step: 0,
    keyOf: found.newKey,
    key,
    table: target.table,
    relation: target.newRow,
  }
  const update = updateFromKept(write, rows, key, found, context)
  const steps = [found.step, makeStep(update, returning === undefined ? 'affected' : 'nothing')]
  if (check !== undefined) steps.push(assertStep(check, kept, context, found.conditions))
  if (returning !== undefined) {
    const outputs = returning.outputs.map((each) => withKept(each, found.foreign))
    steps.push(
      resultStep(outputs, visible, kept, context, (alias) =>
        nameKept(alias, found.foreignFrom, found.foreign, context),
      ),
    )
  }
  return steps
}

/** Must the new values be computed before any change, or from the cells that the caller sees? */
function needsSource(write: UpdateWrite, rows: SecuredTable, context: PrintContext): boolean {
  if (rows.masks.size > 0 || rows.barrier) return true
  const changed = changedTables(write, context.tables)
  return write.assignments.some(
    ({ value }) => value.kind !== 'default' && hasSubquery(value) && readsOneOf(value, changed),
  )
}

/** `update t set c = ... [from ...] where ...` */
function updateInPlace(write: UpdateWrite, rows: SecuredTable, context: PrintContext): Sql {
  const { target, from, ctes } = write
  nameTarget(target.table, [rows.id, rows.base, target.oldRow], context)
  const prefix = printCtes(ctes, context)
  const printed = from.length === 0 ? undefined : printFrom(from, context)
  const conditions = allOf([
    ...(printed?.conditions ?? []),
    tickOf(write, context),
    ...[rows.filter, ...rows.pushed, write.where].map((each) => each && printFilter(each, context)),
  ])
  const assignments = printAssignments(target.table, write.assignments, context)
  const parts = [
    prefix,
    sql`update ${tableName(target.table)} set ${assignments}`,
    printed === undefined ? undefined : sql`from ${printed.sql}`,
    conditions === undefined ? undefined : sql`where ${conditions}`,
  ]
  return joinSql(
    parts.filter((each) => each !== undefined),
    ' ',
  )
}

function tickOf(write: UpdateWrite, context: PrintContext): Sql | undefined {
  const [first = sql`null`] = rowKeyOf(write.target.table, undefined).parts(
    targetName(write.target.table),
  )
  return printTick(first, context.ticks)
}

/** `update t set c = s.c1 from (select key, ... from <rows as the caller sees them> where ...) s where t.key = s.key` */
function updateFromSource(
  write: UpdateWrite,
  rows: SecuredTable,
  key: RowKey,
  context: PrintContext,
): Sql {
  const { target, assignments } = write
  const values = (): readonly Sql[] =>
    assignments.map((each) => assignedValue(columnAt(target.table, each.column), each, context))
  const source = printSource(write, rows, key, values, context)
  const alias = aliasOf(context.nextId(), context)
  const first = source.keyCount
  const sets = assignments.map((each, index) => {
    const name = identifier(columnAt(target.table, each.column).name)
    return sql`${name} = ${alias}.${columnName(first + index)}`
  })
  const keys = key.columns.map((_, index) => sql`${alias}.${columnName(index)}`)
  const where = isPermittedRow(target.table, rows, key, keys, context)
  const update = sql`update ${tableName(target.table)} set ${commaList(sets)}`
  return sql`${update} from (${source.sql}) as ${alias} where ${where}`
}

/** The row of the target with this key, if the caller may touch it. */
function isPermittedRow(
  table: Table,
  rows: SecuredTable,
  key: RowKey,
  values: readonly Sql[],
  context: PrintContext,
): Sql {
  const found = isRow(key, targetName(table), values)
  const filter = printTargetFilter(table, rows, context)
  return filter === undefined ? found : sql`${found} and ${filter}`
}

interface PrintedSource {
  readonly sql: Sql
  readonly keyCount: number
}

/**
 * The keys of the rows to write, and the computed `values`; columns are `c1` ...
 *
 * @param old conditions on the raw rows, passed to `values`.
 */
function printSource(
  write: UpdateWrite,
  rows: SecuredTable,
  key: RowKey,
  values: (old: readonly Sql[]) => readonly Sql[],
  context: PrintContext,
  old: readonly Expression[] = [],
): PrintedSource {
  const prefix = printCtes(write.ctes, context)
  const narrowed = printNarrowedTable(rows, context, key, old)
  context.relations.set(rows.id, { column: narrowed.column })
  context.relations.set(write.target.oldRow, { column: narrowed.column })
  const others = write.from.length === 0 ? undefined : printFrom(write.from, context)
  const conditions = allOf([
    ...(others?.conditions ?? []),
    write.where === undefined ? undefined : printFilter(write.where, context),
  ])
  const outputs = [...narrowed.key, ...values(narrowed.raw)].map(
    (each, index) => sql`${each} as ${columnName(index)}`,
  )
  const from = others === undefined ? narrowed.sql : sql`${narrowed.sql}, ${others.sql}`
  const where = conditions === undefined ? sql`` : sql` where ${conditions}`
  // A row that matches several rows of FROM is changed once.
  const once = others === undefined ? sql`` : sql` group by ${commaList(narrowed.key)}`
  const select = sql`select ${commaList(outputs)} from ${from}${where}${once}`
  return {
    sql: prefix === undefined ? select : sql`${prefix} ${select}`,
    keyCount: narrowed.key.length,
  }
}

/** The kept values of each row before it is changed, with their positions in the kept row. */
interface Found {
  readonly step: PrintedStep
  /** The key after the update. */
  readonly newKey: (kept: Sql) => readonly Sql[]
  /** `security.oldConditions` on the row before the update. */
  readonly conditions: (kept: Sql) => readonly Sql[]
  /** The value that an assignment stores, by its index. */
  readonly assigned: (kept: Sql, index: number) => Sql
  readonly foreignFrom: number
  /** Columns of FROM that RETURNING returns. */
  readonly foreign: readonly ForeignColumn[]
}

/** A kept row: key, conditions, new values, columns of FROM. */
function keepStep(
  write: UpdateWrite,
  rows: SecuredTable,
  key: RowKey,
  references: readonly ColumnReference[],
  context: PrintContext,
): Found {
  const { assignments, security, target } = write
  const old = security?.oldConditions ?? []
  const computed = assignments.flatMap(({ value }) => (value.kind === 'default' ? [] : [value]))
  const values = (conditions: readonly Sql[]): readonly Sql[] => [
    ...conditions,
    ...[...computed, ...references].map((each) =>
      keptForm(print(each, context), each.type, context),
    ),
  ]
  const source = printSource(write, rows, key, values, context, old)
  const conditionsFrom = source.keyCount
  const valuesFrom = conditionsFrom + old.length
  const assigned = (kept: Sql, index: number): Sql => {
    const assignment = assignments[index]
    if (assignment === undefined) throw new GatewayError('internal', `no assignment ${index}`)
    const column = columnAt(target.table, assignment.column)
    const { value } = assignment
    if (value.kind === 'default') return assignedValue(column, assignment, context)
    const item = keptItem(kept, valuesFrom + computed.indexOf(value))
    return storedForm(column, fromKept(item, value.type, context), context)
  }
  return {
    step: makeStep(source.sql, 'keep'),
    newKey: (kept) =>
      keptKey(key, kept, 0).map((part, index) => {
        const ordinal = key.columns[index]
        const place = assignments.findIndex(({ column }) => column === ordinal)
        return place < 0 ? part : assigned(kept, place)
      }),
    conditions: (kept) => old.map((_, index) => keptItem(kept, conditionsFrom + index)),
    assigned,
    foreignFrom: valuesFrom + computed.length,
    foreign: references.map((reference) => ({ reference, relation: context.nextId() })),
  }
}

/** `update t set c = <kept value> from <kept rows> where key = <kept key> and <row filter>` */
function updateFromKept(
  { target, assignments }: UpdateWrite,
  rows: SecuredTable,
  key: RowKey,
  found: Found,
  context: PrintContext,
): Sql {
  const kept = aliasOf(context.nextId(), context)
  const sets = assignments.map((each, index) => {
    const name = identifier(columnAt(target.table, each.column).name)
    return sql`${name} = ${found.assigned(kept, index)}`
  })
  const where = isPermittedRow(target.table, rows, key, keptKey(key, kept, 0), context)
  const source = sql`json_each(${parameter({ from: 'step', step: 0 })}) as ${kept}`
  return sql`update ${tableName(target.table)} set ${commaList(sets)} from ${source} where ${where}`
}
