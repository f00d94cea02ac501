/** @module The keys that an upsert proposes: none may occur twice (SQLSTATE 21000), since SQLite would update the row twice. */

import type { Column } from '@engine/core/catalog'
import { columnAt, columnName, commaList, joinSql, type Sql, sql } from '@engine/core/print'
import { type InsertWrite, rowsOf } from '@engine/core/tree'
import { aliasOf, call, type PrintContext, print, refuse } from '../print-context.ts'
import { printCtes } from '../query/print-query.ts'
import { makeStep, type PrintedStep } from '../step/make-step.ts'
import { duplicatesInIndex } from './duplicates-in-index.ts'
import { proposedForm } from './store-value.ts'

/** A step that raises when two proposed rows have the same key; undefined where they cannot. */
export function duplicateKeyStep(
  write: InsertWrite,
  context: PrintContext,
): PrintedStep | undefined {
  const { onConflict } = write
  if (onConflict?.action.kind === 'update' && onConflict.target?.index !== undefined) {
    return duplicatesInIndex(write, onConflict.target, onConflict.target.index, context)
  }
  const proposed = proposedKeys(write, 2, context)
  if (proposed === undefined) return undefined
  const { rows, columns } = proposed
  const alias = aliasOf(context.nextId(), context)
  const keys = columns.map((column, index) => collated(column, sql`${alias}.${columnName(index)}`))
  const present = joinSql(
    keys.map((key) => sql`${key} is not null`),
    ' and ',
  )
  const prefix = printCtes(write.ctes, context)
  const select = sql`select ${call('once_per_key', sql`count(*)`)} from (${rows}) as ${alias} where ${present} group by ${commaList(keys)}`
  return makeStep(prefix === undefined ? select : sql`${prefix} ${select}`, 'nothing')
}

/** The keys of the rows that DO UPDATE may update, as `c1` ... */
export interface ProposedKeys {
  /** A SELECT, without the WITH queries of the statement. */
  readonly rows: Sql
  readonly columns: readonly Column[]
}

/** @param least with fewer rows than this the query is not worth its cost; undefined then, and where all keys are new. */
export function proposedKeys(
  write: InsertWrite,
  least: number,
  context: PrintContext,
): ProposedKeys | undefined {
  const { onConflict, source, target } = write
  if (onConflict?.action.kind !== 'update' || onConflict.target === undefined) return undefined
  const { target: key } = onConflict
  if (key.index !== undefined) {
    refuse('ON CONFLICT over an index of expressions or of some rows here', undefined)
  }
  const places = key.columns.map((ordinal) => write.columns.indexOf(ordinal))
  if (places.includes(-1) || source.kind === 'defaults') return undefined
  const columns = key.columns.map((ordinal) => columnAt(target.table, ordinal))
  const rows =
    source.kind === 'query'
      ? queryKeys(source.query, places, columns, context)
      : valueKeys(rowsOf(source), places, columns, least, context)
  return rows === undefined ? undefined : { rows, columns }
}

function queryKeys(
  query: Parameters<PrintContext['printQuery']>[0],
  places: readonly number[],
  columns: readonly Column[],
  context: PrintContext,
): Sql {
  const alias = aliasOf(context.nextId(), context)
  const printed = context.printQuery(query, context, 'value').sql
  const keys = columns.map((column, index) => {
    const value = sql`${alias}.${columnName(places[index] ?? 0)}`
    return sql`${proposedForm(column, value, context)} as ${columnName(index)}`
  })
  return sql`select ${commaList(keys)} from (${printed}) as ${alias}`
}

/** Rows that leave a part of the key at its default get a new key each. */
function valueKeys(
  rows: Extract<InsertWrite['source'], { kind: 'values' }>['rows'],
  places: readonly number[],
  columns: readonly Column[],
  least: number,
  context: PrintContext,
): Sql | undefined {
  const printed = rows.flatMap((row) => {
    const cells = columns.map((column, index) => {
      const cell = row[places[index] ?? 0]
      return cell === undefined || cell.kind === 'default'
        ? undefined
        : proposedForm(column, print(cell, context), context)
    })
    const known = cells.filter((cell) => cell !== undefined)
    return known.length < cells.length ? [] : [sql`(${commaList(known)})`]
  })
  if (printed.length < least) return undefined
  const names = commaList(columns.map((_, index) => columnName(index)))
  return sql`with v(${names}) as (values ${joinSql(printed, ', ')}) select * from v`
}

/** With the collation of the unique index. */
export function collated(column: Column, value: Sql): Sql {
  const { collation } = column
  if (collation === undefined) return value
  const name = collation.toUpperCase()
  if (name === 'NOCASE') return sql`(${value} collate nocase)`
  if (name === 'RTRIM') return sql`(${value} collate rtrim)`
  return refuse(`ON CONFLICT over a column with the collation ${collation}`, undefined)
}
