/** @module ON CONFLICT DO NOTHING: stores rows whose keys do not exist yet. */

import { columnName, commaList, integer, joinSql, type Sql, sql } from '@engine/core/print'
import { type InsertWrite, isVolatileQuery } from '@engine/core/tree'
import { aliasOf, type PrintContext, refuse } from '../print-context.ts'
import { noLimit } from '../print-limit.ts'
import { tableName } from '../query/base-table.ts'
import { makeStep } from '../step/make-step.ts'
import { type KeyPart, keyParts, keyValues, oncePerKey, storedValues } from './conflict-keys.ts'
import { addAnswer } from './insert-by-row.ts'
import { type SourceQuery, sourceQuery } from './insert-source.ts'
import { insertedKeyOf } from './inserted-key.ts'
import { insertKept, keepProposed, type RowCondition } from './inserted-rows.ts'
import { type MaterializedStep, printMaterializedRows } from './materialized-rows.ts'
import { addPlain } from './plain-insert.ts'
import { addFaults, printFaults } from './proposed-faults.ts'
import { addInsert, canReturn, insertInto } from './returning-insert.ts'
import { hasKey } from './row-key.ts'
import type { StepList } from './write-plan.ts'

export interface DoNothing {
  readonly write: InsertWrite
  readonly source: SourceQuery
  /** Keys with which proposed rows must not conflict. */
  readonly keysOf: (source: SourceQuery) => Keys
}

type Keys = readonly (readonly KeyPart[])[]

interface ProposedRows {
  readonly write: InsertWrite
  readonly source: SourceQuery
  readonly keys: Keys
}

/** Up to this number of rows, each row gets a statement of its own. */
const mostRows = 500

export function addDoNothing(
  { write, source, keysOf }: DoNothing,
  steps: StepList,
  context: PrintContext,
): void {
  const { returning, security } = write
  const keys = keysOf(source)
  if (!context.traits.hasReturning && (returning !== undefined || security?.check !== undefined)) {
    addRowByRow({ write, source, keys }, steps, context)
    return
  }
  if (source.rowCount === 1) {
    addOneRow({ write, source, keys }, steps, context)
    return
  }
  const rows = write.source.kind === 'values' ? write.source.rows : []
  if (keys.length === 1 || rows.length === 0) {
    addRows({ write, source, keys }, steps, context)
    return
  }
  if (!canReturn(write)) refuse('ON CONFLICT DO NOTHING of several rows here', undefined)
  // Whether a row is stored depends on which rows before it were stored.
  if (rows.length > mostRows)
    refuse(`ON CONFLICT DO NOTHING of more than ${mostRows} rows`, undefined)
  for (const row of rows) {
    const one: InsertWrite = { ...write, source: { kind: 'values', rows: [row] } }
    // Another row may leave other columns at their defaults.
    const own = sourceQuery(one, context)
    const ownKeys = keysOf(own)
    if (ownKeys.length === 0) addPlain(one, steps, context)
    else addOneRow({ write: one, source: own, keys: ownKeys }, steps, context)
  }
}

function addOneRow(
  { write, source, keys }: ProposedRows,
  steps: StepList,
  context: PrintContext,
): void {
  const alias = aliasOf(context.nextId(), context)
  const printed = context.printQuery(source.query, context, 'working').sql
  const column = (index: number) => sql`${alias}.${columnName(index)}`
  const values = storedValues(source, column, context)
  const isNew = joinSql(
    keys.map((key) => isFree(write, key, column, context)),
    ' and ',
  )
  const faults = printFaults(write.target.table, source, column, context)
  const condition = faults === undefined ? isNew : sql`case ${faults} else ${isNew} end`
  // The server computes a volatile cell at every reference, unless it cannot merge the derived table.
  const row = isVolatileQuery(source.query)
    ? sql`select * from (${printed}) as ${aliasOf(context.nextId(), context)} limit ${noLimit}`
    : printed
  const rows = sql`select ${values} from (${row}) as ${alias} where ${condition}`
  const insert = insertInto(write, { columns: source.columns, sql: rows })
  addInsert(write, insert, steps, context)
}

/** Of rows with the same key the first one is stored. */
function addRows(
  { write, source, keys }: ProposedRows,
  steps: StepList,
  context: PrintContext,
): void {
  const kept = steps.keep(
    context.printQuery(source.query, context, 'value').sql,
    source.columns.map(({ type }) => type),
  )
  addFaults(write, source, kept, steps, context)
  if (keys.length > 1) addDistinct(keys, kept, steps, context)
  const inner = printMaterializedRows(kept, context)
  const alias = aliasOf(context.nextId(), context)
  const column = (index: number) => sql`${alias}.${columnName(index)}`
  const cells = source.columns.map(
    (_, index) => sql`${inner.column(index).sql} as ${columnName(index)}`,
  )
  const ranks = keys.map((key, index) => {
    const parts = commaList(keyParts(key, (place) => inner.column(place).sql, context))
    return sql`row_number() over (partition by ${parts} order by ${inner.position}) as ${rankName(index)}`
  })
  const numbered = sql`select ${commaList([sql`${inner.position} as c0`, ...cells, ...ranks])} from ${inner.sql}`
  const conditions = keys.flatMap((key, index) => [
    sql`(${alias}.${rankName(index)} = 1 or ${isIncomplete(key, column, context)})`,
    isFree(write, key, column, context),
  ])
  const rows = sql`select ${storedValues(source, column, context)} from (${numbered}) as ${alias} where ${joinSql(conditions, ' and ')} order by ${alias}.c0`
  addInsert(write, insertInto(write, { columns: source.columns, sql: rows }), steps, context)
}

/** On a server without RETURNING, each row by itself: then it is known which ones are stored. */
function addRowByRow(
  { write, source, keys }: ProposedRows,
  steps: StepList,
  context: PrintContext,
): void {
  const inserted = insertedKeyOf(write.target.table, source, context)
  const proposal = keepProposed(write, source, inserted, steps, context)
  addFaults(write, source, proposal.step, steps, context)
  const isNew: RowCondition = (column) =>
    joinSql(
      keys.map((key) => isFree(write, key, column, context)),
      ' and ',
    )
  const isCounted = write.returning === undefined
  const kept = insertKept(proposal, { condition: isNew, isCounted }, steps, context)
  addAnswer(write, inserted, kept, steps, context)
}

function rankName(index: number): Sql {
  return sql`r${integer(index)}`
}

/** For rows of a query with several keys it is unknown which are stored, unless all of them differ. */
function addDistinct(
  keys: Keys,
  step: MaterializedStep,
  steps: StepList,
  context: PrintContext,
): void {
  for (const key of keys) {
    const kept = printMaterializedRows(step, context)
    steps.add(makeStep(oncePerKey(key, kept, '0A000', context), 'nothing'))
  }
}

function isIncomplete(
  key: readonly KeyPart[],
  column: (place: number) => Sql,
  context: PrintContext,
): Sql {
  const parts = keyParts(key, column, context).map((part) => sql`${part} is null`)
  return joinSql(parts, ' or ')
}

/** No row with this key exists. */
function isFree(
  { target }: InsertWrite,
  key: readonly KeyPart[],
  column: (place: number) => Sql,
  context: PrintContext,
): Sql {
  const alias = aliasOf(context.nextId(), context)
  const match = hasKey(
    key.map((part) => part.column),
    keyValues(key, column, context),
    alias,
    context,
  )
  return sql`not exists (select 1 from ${tableName(target.table)} as ${alias} where ${match})`
}
