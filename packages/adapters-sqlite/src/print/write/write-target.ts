/** @module The table that a statement writes: its columns, and the key by which its rows are found again. */

import type { Table } from '@engine/core/catalog'
import { columnAt, identifier, integer, joinSql, type Sql, sql } from '@engine/core/print'
import type { Assignment, SecuredTable } from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import { type PrintContext, refuse } from '../print-context.ts'
import { baseColumns } from '../query/base-table.ts'
import type { KeyParts } from '../query/print-secured-table.ts'
import { nativeOf } from '../read-stored.ts'

/** The key that identifies a row of a table: the rowid, or else the primary key. */
export interface RowKey extends KeyParts {
  /** Ordinals of the key's columns, in order; undefined for a rowid without a column. */
  readonly columns: readonly (number | undefined)[]
  /** Parts that are bytes: in kept rows they are hexadecimal text. */
  readonly isBytes: readonly boolean[]
  /** A part is compared with its column's collation: values that are equal in it may be keys of several rows. */
  readonly hasCollation: boolean
}

export function rowKeyOf(table: Table, position: number | undefined): RowKey {
  if (table.kind === 'view') return refuse('writing to a view', position)
  const { rowidName } = nativeOf(columnAt(table, 0))
  if (rowidName !== undefined) {
    const alias = table.columns.find((column) => nativeOf(column).isRowidAlias === true)
    return {
      parts: (name) => [sql`${name}.${rowidNames[rowidName]}`],
      columns: [alias?.ordinal],
      isBytes: [false],
      hasCollation: false,
    }
  }
  if (table.primaryKey.length === 0) return refuse('writing to a table without a key', position)
  return {
    parts: (name) =>
      table.primaryKey.map((ordinal) => sql`${name}.${identifier(columnAt(table, ordinal).name)}`),
    columns: table.primaryKey,
    isBytes: table.primaryKey.map(
      (ordinal) => nativeOf(columnAt(table, ordinal)).affinity === 'blob',
    ),
    hasCollation: table.primaryKey.some(
      (ordinal) => columnAt(table, ordinal).collation !== undefined,
    ),
  }
}

const rowidNames = { rowid: sql`rowid`, _rowid_: sql`_rowid_`, oid: sql`oid` } as const

/** The target's own name: SQLite accepts no other in RETURNING. */
export function targetName(table: Table): Sql {
  return identifier(table.native.name)
}

/** Makes expressions refer to the rows of the target by the table's name. */
export function nameTarget(
  table: Table,
  relations: readonly (number | undefined)[],
  context: PrintContext,
): void {
  const column = baseColumns(table, targetName(table))
  for (const relation of relations) {
    if (relation !== undefined) context.relations.set(relation, { column })
  }
}

/** The parts of a key in a kept row, the first at `from`, in their stored form. */
export function keptKey(key: RowKey, kept: Sql, from: number): readonly Sql[] {
  return key.isBytes.map((isBytes, index) => {
    const item = keptItem(kept, from + index)
    return isBytes ? sql`unhex(${item})` : item
  })
}

/** `alias.rowid = value and ...`: the one row whose key has these values. */
export function isRow(key: RowKey, alias: Sql, values: readonly Sql[]): Sql {
  const parts = key.parts(alias)
  const conditions = parts.flatMap((part, index) => {
    const value = values[index] ?? sql`null`
    const same = sql`${part} = ${value}`
    // In a column's collation two keys may be equal; its index is used for the first condition.
    return key.hasCollation ? [same, sql`${part} collate binary = ${value}`] : [same]
  })
  return joinSql(conditions, ' and ')
}

/** The rows of the target, under its own name, whose keys a SELECT returns. */
export function isAmong(key: RowKey, table: Table, keys: Sql): Sql {
  const parts = key.parts(targetName(table))
  const found = sql`(${joinSql(parts, ', ')}) in (select * from ${keys})`
  if (!key.hasCollation) return found
  const exact = parts.map((part) => sql`${part} collate binary`)
  return sql`${found} and (${joinSql(exact, ', ')}) in (select * from ${keys})`
}

/**
 * The row filter of an UPDATE or DELETE on the target itself, whose only name is its own: a row that the caller may not touch is
 * not written, however it was found.
 */
export function printTargetFilter(
  table: Table,
  rows: SecuredTable,
  context: PrintContext,
): Sql | undefined {
  if (rows.filter === undefined) return undefined
  nameTarget(table, [rows.base], context)
  return printFilter(rows.filter, context)
}

/** A column of a kept row. */
export function keptItem(kept: Sql, index: number): Sql {
  return sql`(${kept}.value ->> ${integer(index)})`
}

/** Does an assignment change a column of the key? */
export function changesKey(key: RowKey, assignments: readonly Assignment[]): boolean {
  return assignments.some(({ column }) => key.columns.includes(column))
}
