/** @module The keys that an upsert proposes to an index of expressions or of some rows: none may occur twice. */
import type { Column } from '@engine/core/catalog'
import {
  columnAt,
  columnName,
  commaList,
  identifier,
  joinSql,
  type Sql,
  sql,
} from '@engine/core/print'
import {
  type ConflictIndex,
  type ConflictTarget,
  type Expression,
  type InsertWrite,
  rowsOf,
} from '@engine/core/tree'
import { aliasOf, call, type PrintContext, print, refuse } from '../print-context.ts'
import { printCtes } from '../query/print-query.ts'
import { makeStep, type PrintedStep } from '../step/make-step.ts'
import { indexCondition, indexParts } from './conflict-target.ts'
import { defaultValue } from './default-value.ts'
import { proposedForm } from './store-value.ts'

/**
 * A step that raises (SQLSTATE 21000) when two proposed rows have the same key; undefined for a single row.
 *
 * `select once_per_key(count(*)) from (select c1 as "email" ...) where (lower(email)) is not null group by (lower(email))`
 */
export function duplicatesInIndex(
  write: InsertWrite,
  { columns }: ConflictTarget,
  index: ConflictIndex,
  context: PrintContext,
): PrintedStep | undefined {
  const rows = proposedRows(write, columns, context)
  if (rows === undefined) return undefined
  const parts = indexParts(index)
  const conditions = [...parts.map((part) => sql`${part} is not null`), indexCondition(index)]
  const where = joinSql(
    conditions.filter((condition) => condition !== undefined),
    ' and ',
  )
  const alias = aliasOf(context.nextId(), context)
  const select = sql`select ${call('once_per_key', sql`count(*)`)} from (${rows}) as ${alias} where ${where} group by ${commaList(parts)}`
  const prefix = printCtes(write.ctes, context)
  return makeStep(prefix === undefined ? select : sql`${prefix} ${select}`, 'nothing')
}

/** The columns under their own names, for the expressions of the index. */
function proposedRows(
  write: InsertWrite,
  ordinals: readonly number[],
  context: PrintContext,
): Sql | undefined {
  const columns = ordinals.map((ordinal) => columnAt(write.target.table, ordinal))
  const { source } = write
  if (source.kind === 'defaults') return undefined
  const alias = aliasOf(context.nextId(), context)
  if (source.kind === 'query') {
    const printed = context.printQuery(source.query, context, 'value').sql
    const cells = columns.map((column) => {
      const place = write.columns.indexOf(column.ordinal)
      const value = sql`${alias}.${columnName(place)}`
      return place < 0 ? defaultOf(column, context) : proposedForm(column, value, context)
    })
    return sql`select ${named(cells, columns)} from (${printed}) as ${alias}`
  }
  const rows = rowsOf(source)
  if (rows.length < 2) return undefined
  const printed = rows.map((row) => {
    const cells = columns.map((column) =>
      proposedCell(column, row[write.columns.indexOf(column.ordinal)], context),
    )
    return sql`(${commaList(cells)})`
  })
  const values = commaList(columns.map((_, place) => columnName(place)))
  const cells = columns.map((_, place) => sql`${alias}.${columnName(place)}`)
  return sql`with v(${values}) as (values ${commaList(printed)}) select ${named(cells, columns)} from v as ${alias}`
}

function proposedCell(
  column: Column,
  cell: Expression | { readonly kind: 'default' } | undefined,
  context: PrintContext,
): Sql {
  return cell === undefined || cell.kind === 'default'
    ? defaultOf(column, context)
    : proposedForm(column, print(cell, context), context)
}

function defaultOf(column: Column, context: PrintContext): Sql {
  return (
    defaultValue(column, context) ??
    refuse(`ON CONFLICT of several rows with the default of "${column.name}" in the key`, undefined)
  )
}

/** `t1.c1 as "email"` */
function named(cells: readonly Sql[], columns: readonly Column[]): Sql {
  return commaList(
    cells.map((cell, place) => sql`${cell} as ${identifier(columns[place]?.name ?? '')}`),
  )
}
