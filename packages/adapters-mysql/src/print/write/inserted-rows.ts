/**
 * @module Kept rows that an INSERT stores on a server without RETURNING, and their keys afterwards. Rows that the server numbers are
 * stored one by one: the numbers of several rows of one INSERT ... SELECT are not consecutive where others insert meanwhile.
 */
import type { Column, SqlType } from '@engine/core/catalog'
import { columnName, commaList, type Sql, sql } from '@engine/core/print'
import type { InsertWrite } from '@engine/core/tree'
import { aliasOf, anyValue, type PrintContext } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { makeInsertStep } from '../step/insert-step.ts'
import { makeStep } from '../step/make-step.ts'
import { storedValues } from './conflict-keys.ts'
import { inOrder, type SourceQuery } from './insert-source.ts'
import type { InsertedKey } from './inserted-key.ts'
import {
  type MaterializedRows,
  type MaterializedStep,
  printMaterializedRows,
} from './materialized-rows.ts'
import { insertInto } from './returning-insert.ts'
import { nativeOf } from './row-key.ts'
import type { StepList, WrittenRows } from './write-plan.ts'

/** The proposed rows, kept: columns as those of the source, from position `from` on. */
export interface KeptProposal {
  readonly write: InsertWrite
  readonly inserted: InsertedKey
  readonly step: MaterializedStep
  readonly from: number
}

/** Keeps the proposed rows with the defaults of their keys. */
export function keepProposed(
  write: InsertWrite,
  { query }: Pick<SourceQuery, 'query'>,
  inserted: InsertedKey,
  steps: StepList,
  context: PrintContext,
): KeptProposal {
  const { source, defaults } = inserted
  const types = source.columns.map(({ type }) => type)
  const rows = context.printQuery(defaults.length === 0 ? query : inOrder(query), context, 'value')
  return {
    write,
    inserted,
    step: steps.keep(withDefaults(rows.sql, inserted, context), types),
    from: 0,
  }
}

/** `select t1.c1, t1.c2, uuid() as c3 from (<rows>) as t1` */
function withDefaults(rows: Sql, { source, defaults }: InsertedKey, context: PrintContext): Sql {
  if (defaults.length === 0) return rows
  const alias = aliasOf(context.nextId(), context)
  const given = source.columns.length - defaults.length
  const cells = source.columns.map((_, index) =>
    index < given
      ? sql`${alias}.${columnName(index)}`
      : sql`${defaults[index - given] ?? sql`null`} as ${columnName(index)}`,
  )
  return sql`select ${commaList(cells)} from (${rows}) as ${alias}`
}

export interface InsertOptions {
  /** Only rows with this property are stored. */
  readonly condition?: RowCondition
  /** The stored rows are the affected ones of the statement. */
  readonly isCounted: boolean
}

/** A condition on a proposed row with these columns. */
export type RowCondition = (column: (place: number) => Sql) => Sql

/** Stores the rows. Returns the keys of those that were stored, and their positions among the proposed ones. */
export function insertKept(
  proposal: KeptProposal,
  { condition, isCounted }: InsertOptions,
  steps: StepList,
  context: PrintContext,
): WrittenRows['kept'] {
  const { inserted, step } = proposal
  const text = insertText(proposal, condition, context)
  if (condition === undefined && inserted.parts.every(({ kind }) => kind === 'given')) {
    steps.add(makeStep(text, isCounted ? 'affected' : 'nothing'))
    return (each) => keysOfAll(proposal, each)
  }
  const insert = makeInsertStep(text, { eachOf: step.step, isCounted })
  const stored = { step: steps.add(insert), types: [...storedTypes, ...step.types] }
  return (each) => keysOfStored(proposal, stored, each)
}

/** `insert into t (a, b) select t1.c1, t1.c2 from <kept rows> order by t1.c0` */
function insertText(
  { write, inserted, step, from }: KeptProposal,
  condition: RowCondition | undefined,
  context: PrintContext,
): Sql {
  const kept = printMaterializedRows(step, context)
  const column = (place: number): Sql => kept.column(from + place).sql
  const values = storedValues(inserted.source, column, context)
  const where = condition === undefined ? sql`` : sql` where ${condition(column)}`
  const rows = sql`select ${values} from ${kept.sql}${where} order by ${kept.position}`
  return insertInto(write, { columns: inserted.source.columns, sql: rows })
}

const int8: SqlType = { oid: 20, typmod: -1 }

/** Of a row that an `InsertStep` keeps, before its cells: position and number. */
export const storedTypes: readonly SqlType[] = [int8, int8]

/** The keys of rows that were all stored, with keys that were known before. */
function keysOfAll(
  { inserted, step, from }: KeptProposal,
  context: PrintContext,
): MaterializedRows {
  const rows = printMaterializedRows(step, context)
  return {
    sql: rows.sql,
    position: from === 0 ? rows.position : rows.column(0).sql,
    column: (index) => rows.column(from + (inserted.parts[index]?.place ?? 0)),
  }
}

/** `(select t2.c1 as c0, t2.c2 as c1, t2.c4 as c2 from <stored> as t2) as t1` */
function keysOfStored(
  { inserted, from }: KeptProposal,
  storedStep: MaterializedStep,
  context: PrintContext,
): MaterializedRows {
  const alias = aliasOf(context.nextId(), context)
  const stored = printMaterializedRows(storedStep, context)
  const cell = (index: number): Sql => stored.column(storedTypes.length + index).sql
  const position = from === 0 ? stored.column(0).sql : cell(0)
  const parts = inserted.parts.map((part, index) => {
    const given = part.place === undefined ? undefined : cell(from + part.place)
    if (part.kind === 'given') return given ?? sql`null`
    return numberOf(stored.column(1).sql, given, inserted.key.columns[index])
  })
  const named = [
    sql`${position} as c0`,
    ...parts.map((part, index) => sql`${part} as ${columnName(index)}`),
  ]
  return {
    sql: sql`(select ${commaList(named)} from ${stored.sql}) as ${alias}`,
    position: sql`${alias}.c0`,
    column: (index) => ({ ...anyValue, sql: sql`${alias}.${columnName(index)}`, isBare: false }),
  }
}

/** After INSERT ... SELECT, the driver reports only numbers that the server assigned, which are never 0. */
function numberOf(reported: Sql, given: Sql | undefined, column: Column | undefined): Sql {
  const unknown = raiseState('0A000')
  const otherwise = given === undefined ? unknown : sql`coalesce(${given}, ${unknown})`
  return sql`case when ${reported} <> 0 then ${numberIn(reported, column)} else ${otherwise} end`
}

/** The number of a column from the signed one that the driver reports. */
export function numberIn(reported: Sql, column: Column | undefined): Sql {
  const isUnsigned = column !== undefined && nativeOf(column).isUnsigned === true
  return isUnsigned ? sql`cast(${reported} as unsigned)` : reported
}
