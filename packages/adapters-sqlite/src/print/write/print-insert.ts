/** @module INSERT. */

import { GatewayError } from '@engine/core/adapter'
import type { Column } from '@engine/core/catalog'
import {
  columnAt,
  columnName,
  commaList,
  identifier,
  repeatedRows,
  type Sql,
  sql,
} from '@engine/core/print'
import {
  type Expression,
  type InsertSource,
  type InsertWrite,
  type OnConflict,
  type Query,
  type RepeatedRows,
  readsTable,
} from '@engine/core/tree'
import { aliasOf, type PrintContext, print, refuse } from '../print-context.ts'
import { baseColumns, tableName } from '../query/base-table.ts'
import { printCtes } from '../query/print-query.ts'
import { makeStep, type PrintedStep } from '../step/make-step.ts'
import { printAssignments } from './assignments.ts'
import { printConflictTarget } from './conflict-target.ts'
import { defaultValue, isSpelledDefault } from './default-value.ts'
import { duplicateKeyStep } from './duplicate-keys.ts'
import { rowsBefore } from './rows-before.ts'
import { storedForm } from './store-value.ts'
import {
  assertStep,
  countStep,
  type KeptRows,
  printReturning,
  refuseOwnTable,
  resultStep,
} from './write-plan.ts'
import { keptKey, nameTarget, rowKeyOf, targetName } from './write-target.ts'

export function printInsert(write: InsertWrite, context: PrintContext): readonly PrintedStep[] {
  const { target, returning, security } = write
  if (security === undefined) throw new GatewayError('internal', 'a write without its security')
  if (write.overriding === 'user') refuse('OVERRIDING USER VALUE', undefined)
  refuseOwnTable(write)
  const key = rowKeyOf(target.table, undefined)
  const bodies = insertBodies(write, context)
  const before = rowsBefore(write, key, context)
  const checks = [duplicateKeyStep(write, context), before?.step].filter(
    (step) => step !== undefined,
  )
  const oldConditions = (_: Sql, alias: Sql) => before?.conditions(checks.length - 1, alias) ?? []
  const { check, visible } = security
  if (check === undefined && visible === undefined) {
    nameTarget(target.table, [target.newRow], context)
    const suffix =
      returning === undefined
        ? sql``
        : sql` returning ${printReturning(returning.outputs, undefined, context).outputs}`
    const yields = returning === undefined ? 'affected' : 'result'
    return [...checks, ...bodies.map((body) => makeStep(sql`${body}${suffix}`, yields))]
  }
  const keys = commaList(key.parts(targetName(target.table)))
  const kept = bodies.map((body) => makeStep(sql`${body} returning ${keys}`, 'keep'))
  const answers = kept.flatMap((_, index) => {
    const rows: KeptRows = {
      step: checks.length + index,
      keyOf: (item) => keptKey(key, item, 0),
      key,
      table: target.table,
      relation: target.newRow,
    }
    return [
      ...(check === undefined ? [] : [assertStep(check, rows, context, oldConditions)]),
      returning === undefined
        ? countStep(rows.step)
        : resultStep(returning.outputs, visible, rows, context),
    ]
  })
  return [...checks, ...kept, ...answers]
}

/** One INSERT, or several where rows leave different columns at their defaults. */
function insertBodies(write: InsertWrite, context: PrintContext): readonly Sql[] {
  const { source, target, ctes } = write
  const prefix = printCtes(ctes, context)
  const conflict =
    write.onConflict === undefined ? sql`` : printConflict(write, write.onConflict, context)
  const extras = spelledDefaults(write, context)
  const make = (columns: readonly Column[], rows: Sql): Sql => {
    const names = columns.map((column) => identifier(column.name))
    const insert = sql`insert into ${tableName(target.table)}`
    const body =
      names.length === 0
        ? sql`${insert} default values`
        : sql`${insert} (${commaList(names)}) ${rows}`
    return prefix === undefined ? sql`${body}${conflict}` : sql`${prefix} ${body}${conflict}`
  }
  switch (source.kind) {
    case 'defaults': {
      const values = extras.map(({ value }) => value)
      const columns = extras.map(({ column }) => column)
      if (columns.length === 0 && write.onConflict !== undefined) {
        return refuse('ON CONFLICT after DEFAULT VALUES', undefined)
      }
      return [make(columns, sql`values (${commaList(values)})`)]
    }
    case 'query':
      return [queryBody(write, source.query, extras, make, context)]
    case 'values':
    case 'repeated':
      return rowGroups(write, source, extras, context).map(({ columns, rows }) =>
        make([...columns, ...extras.map(({ column }) => column)], sql`values ${rows}`),
      )
  }
}

interface ExtraValue {
  readonly column: Column
  readonly value: Sql
}

/** Omitted columns whose default SQLite would not store correctly. */
function spelledDefaults(write: InsertWrite, context: PrintContext): readonly ExtraValue[] {
  const written = new Set(write.source.kind === 'defaults' ? [] : write.columns)
  return write.target.table.columns.flatMap((column) => {
    if (written.has(column.ordinal) || !isSpelledDefault(column, context)) return []
    const value = defaultValue(column, context)
    return value === undefined ? [] : [{ column, value }]
  })
}

function queryBody(
  write: InsertWrite,
  query: Query,
  extras: readonly ExtraValue[],
  make: (columns: readonly Column[], rows: Sql) => Sql,
  context: PrintContext,
): Sql {
  const columns = write.columns.map((ordinal) => columnAt(write.target.table, ordinal))
  const alias = aliasOf(context.nextId(), context)
  const printed = context.printQuery(query, context, 'value').sql
  const values = columns.map((column, index) =>
    storedForm(column, sql`${alias}.${columnName(index)}`, context),
  )
  const all = commaList([...values, ...extras.map(({ value }) => value)])
  // Without WHERE the grammar reads ON CONFLICT as the ON of a join.
  const rows = sql`select ${all} from (${printed}) as ${alias} where true`
  return make([...columns, ...extras.map(({ column }) => column)], rows)
}

/** Consecutive rows with values for the same columns. */
interface RowGroup {
  readonly columns: readonly Column[]
  readonly rows: Sql
}

/** Cells of one INSERT; SQLite has 32 766 parameters, and ON CONFLICT needs some of them. */
const mostCells = 30_000

function rowGroups(
  write: InsertWrite,
  source: Extract<InsertSource, { kind: 'values' | 'repeated' }>,
  extras: readonly ExtraValue[],
  context: PrintContext,
): readonly RowGroup[] {
  const { table } = write.target
  const columns = write.columns.map((ordinal) => columnAt(table, ordinal))
  const isRepeated = source.kind === 'repeated'
  const shapes = isRepeated ? source.shapes : source.rows
  const rows = isRepeated ? source.rows : shapes.map((_, shape) => ({ shape, shift: 0 }))
  const isAlwaysDefault = columns.map((_, index) =>
    shapes.every((row) => row[index]?.kind === 'default'),
  )
  const printed = shapes.map((row) => {
    const cells = columns.map((column, index) =>
      isAlwaysDefault[index] === true && !isSpelledDefault(column, context)
        ? undefined
        : printCell(column, row[index], context),
    )
    const given = columns.filter((_, index) => cells[index] !== undefined)
    const values = [
      ...cells.filter((cell) => cell !== undefined),
      ...extras.map(({ value }) => value),
    ]
    const names = given.map(({ ordinal }) => ordinal).join()
    return { names, given, width: values.length, tuple: sql`(${commaList(values)})` }
  })
  const groups: {
    names: string
    columns: readonly Column[]
    rows: RepeatedRows['rows'][number][]
  }[] = []
  const isDivisible = !table.foreignKeys.some((key) => key.table === table.name)
  for (const row of rows) {
    const { names = '', given = [], width = 0 } = printed[row.shape] ?? {}
    const last = groups.at(-1)
    const hasRoom = !isDivisible || ((last?.rows.length ?? 0) + 1) * width <= mostCells
    if (last !== undefined && last.names === names && names !== '' && hasRoom) last.rows.push(row)
    else groups.push({ names, columns: given, rows: [row] })
  }
  const tuples = printed.map(({ tuple }) => tuple)
  return groups.map((group) => ({
    columns: group.columns,
    rows: isRepeated
      ? repeatedRows(tuples, group.rows)
      : commaList(group.rows.flatMap(({ shape }) => tuples[shape] ?? [])),
  }))
}

/** Undefined where the column must be left out, to get its default. */
function printCell(
  column: Column,
  cell: Expression | { readonly kind: 'default' } | undefined,
  context: PrintContext,
): Sql | undefined {
  if (cell === undefined) throw new GatewayError('internal', 'a row is too short')
  if (cell.kind === 'default') return defaultValue(column, context)
  return storedForm(column, print(cell, context), context)
}

function printConflict(write: InsertWrite, conflict: OnConflict, context: PrintContext): Sql {
  const { table, oldRow } = write.target
  const target = conflict.target === undefined ? sql`` : printConflictTarget(table, conflict.target)
  const { action } = conflict
  if (action.kind === 'nothing') return sql` on conflict${target} do nothing`
  nameTarget(table, [oldRow], context)
  context.relations.set(action.excluded, { column: baseColumns(table, sql`excluded`) })
  for (const { value } of action.assignments) {
    if (value.kind !== 'default' && readsTable(value, table)) {
      refuse('a subquery in DO UPDATE that reads the written table', value.position)
    }
  }
  const assignments = printAssignments(table, action.assignments, context)
  const condition = conflictCondition(write.security?.existing, action.where, context)
  const where = condition === undefined ? sql`` : sql` where ${condition}`
  return sql` on conflict${target} do update set ${assignments}${where}`
}

/** CASE keeps the order of evaluation: the client's condition is never evaluated on a row that may not be touched. */
function conflictCondition(
  existing: Expression | undefined,
  asked: Expression | undefined,
  context: PrintContext,
): Sql | undefined {
  const permitted = existing && print(existing, context)
  const wanted = asked && print(asked, context)
  if (permitted === undefined || wanted === undefined) return permitted ?? wanted
  return sql`case when ${permitted} then ${wanted} else false end`
}
