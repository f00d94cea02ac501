/** @module UPDATE. */
import {
  type ColumnReference,
  columnName,
  commaList,
  type Expression,
  type ForeignColumn,
  foreignColumns,
  GatewayError,
  hasSubquery,
  identifier,
  joinSql,
  readsTable,
  type SecuredTable,
  type Sql,
  type SqlType,
  sql,
  type UpdateWrite,
  withKept,
} from '@engine/core'
import { assignedValue, printAssignments } from './assignments.ts'
import { nameKept } from './foreign-columns.ts'
import { makeStep, type PrintedStep } from './make-step.ts'
import { aliasOf, call, classOfType, type PrintContext, print } from './print-context.ts'
import { allOf, printFilter } from './print-filter.ts'
import { printFrom } from './print-from.ts'
import { printCtes } from './print-query.ts'
import { columnAt, printNarrowedTable, tableName } from './print-secured-table.ts'
import {
  assertStep,
  type KeptRows,
  printReturning,
  refuseOwnTable,
  resultStep,
} from './write-plan.ts'
import {
  changesKey,
  keptItem,
  nameTarget,
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
  const { check, visible } = security
  const foreign = returning === undefined ? [] : foreignColumns(returning.outputs, write.from)
  const isPlain = check === undefined && visible === undefined && foreign.length === 0
  const update = needsSource(write, rows)
    ? updateFromSource(write, rows, key, context)
    : updateInPlace(write, rows, context)
  if (isPlain) {
    if (returning === undefined) return [makeStep(update, 'affected')]
    nameTarget(target.table, [target.newRow], context)
    const { outputs } = printReturning(returning.outputs, undefined, context)
    return [makeStep(sql`${update} returning ${outputs}`, 'result')]
  }
  const found = keepStep(write, rows, key, foreign, context)
  const kept: KeptRows = {
    step: 0,
    keyFrom: found.newKeyFrom,
    key,
    table: target.table,
    relation: target.newRow,
  }
  const steps: PrintedStep[] = [
    found.step,
    makeStep(update, returning === undefined ? 'affected' : 'nothing'),
  ]
  if (check !== undefined) steps.push(checkStep(check, kept, found, context))
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

/** The new values must be computed before anything changes, or from cells that the caller sees. */
function needsSource(write: UpdateWrite, rows: SecuredTable): boolean {
  if (rows.masks.size > 0 || rows.barrier) return true
  return write.assignments.some(
    ({ value }) =>
      value.kind !== 'default' && hasSubquery(value) && readsTable(value, write.target.table),
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
  if (!context.hasTicks) return undefined
  const [first = sql`null`] = rowKeyOf(write.target.table, undefined).parts(
    targetName(write.target.table),
  )
  return sql`tick(${first})`
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
  const matches = key
    .parts(targetName(target.table))
    .map((part, index) => sql`${part} = ${alias}.${columnName(index)}`)
  const update = sql`update ${tableName(target.table)} set ${commaList(sets)}`
  return sql`${update} from (${source.sql}) as ${alias} where ${joinSql(matches, ' and ')}`
}

interface PrintedSource {
  readonly sql: Sql
  readonly keyCount: number
}

/**
 * The keys of the rows to write, and `values` computed beside them; columns are `c1` ...
 *
 * @param old conditions on the raw rows, handed to `values` with the parts of the key.
 */
function printSource(
  write: UpdateWrite,
  rows: SecuredTable,
  key: RowKey,
  values: (old: readonly Sql[], key: readonly Sql[]) => readonly Sql[],
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
  const outputs = [...narrowed.key, ...values(narrowed.raw, narrowed.key)].map(
    (each, index) => sql`${each} as ${columnName(index)}`,
  )
  const from = others === undefined ? narrowed.sql : sql`${narrowed.sql}, ${others.sql}`
  const where = conditions === undefined ? sql`` : sql` where ${conditions}`
  const select = sql`select ${commaList(outputs)} from ${from}${where}`
  return {
    sql: prefix === undefined ? select : sql`${prefix} ${select}`,
    keyCount: narrowed.key.length,
  }
}

/** What is kept of each row before it is changed, and where in the kept row it stands. */
interface Found {
  readonly step: PrintedStep
  readonly newKeyFrom: number
  readonly conditionsFrom: number
  readonly conditionCount: number
  readonly foreignFrom: number
  /** Columns of FROM that RETURNING shows. */
  readonly foreign: readonly ForeignColumn[]
}

function keepStep(
  write: UpdateWrite,
  rows: SecuredTable,
  key: RowKey,
  foreign: readonly ColumnReference[],
  context: PrintContext,
): Found {
  const { assignments, security } = write
  const old = security?.oldConditions ?? []
  const values = (conditions: readonly Sql[], oldKey: readonly Sql[]): readonly Sql[] => [
    ...newKey(write, key, oldKey, context),
    ...conditions,
    ...foreign.map((each) => keptForm(print(each, context), each.type, context)),
  ]
  const source = printSource(write, rows, key, values, context, old)
  const hasNewKey = changesKey(key, assignments)
  const keyCount = source.keyCount
  const conditionsFrom = hasNewKey ? keyCount * 2 : keyCount
  return {
    step: makeStep(source.sql, 'keep'),
    newKeyFrom: hasNewKey ? keyCount : 0,
    conditionsFrom,
    conditionCount: old.length,
    foreignFrom: conditionsFrom + old.length,
    foreign: foreign.map((reference) => ({ reference, relation: context.nextId() })),
  }
}

/** The key after the update, where the update changes it; `old` are the parts of the key before it. */
function newKey(
  write: UpdateWrite,
  key: RowKey,
  old: readonly Sql[],
  context: PrintContext,
): readonly Sql[] {
  if (!changesKey(key, write.assignments)) return []
  return key.columns.map((ordinal, index) => {
    const assignment = write.assignments.find(({ column }) => column === ordinal)
    if (assignment === undefined) return old[index] ?? sql`null`
    return assignedValue(columnAt(write.target.table, assignment.column), assignment, context)
  })
}

/** Floats travel as text, so that every bit arrives. */
function keptForm(value: Sql, type: SqlType, context: PrintContext): Sql {
  const typeClass = classOfType(type, context)
  return typeClass === 'float4' || typeClass === 'float8' ? call('float_text', value) : value
}

function checkStep(
  check: Expression,
  kept: KeptRows,
  found: Found,
  context: PrintContext,
): PrintedStep {
  if (found.conditionCount === 0) return assertStep(check, kept, context)
  return assertStep(check, kept, context, (alias) =>
    Array.from({ length: found.conditionCount }, (_, index) =>
      keptItem(alias, found.conditionsFrom + index),
    ),
  )
}
