/** @module The table that a statement writes: its columns there, and what finds its rows again. */
import {
  type Assignment,
  identifier,
  integer,
  joinSql,
  type Sql,
  sql,
  type Table,
} from '@engine/core'
import { type PrintContext, refuse } from './print-context.ts'
import { baseColumns, columnAt, type KeyParts } from './print-secured-table.ts'
import { nativeOf } from './read-stored.ts'

/** A name or names that tell the rows of a table apart: the rowid, or else the primary key. */
export interface RowKey extends KeyParts {
  /** Ordinals of columns that are parts, in their order; undefined for a rowid that no column shows. */
  readonly columns: readonly (number | undefined)[]
  /** Parts that are bytes: kept rows hold them as hexadecimal text. */
  readonly isBytes: readonly boolean[]
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
  }
}

const rowidNames = { rowid: sql`rowid`, _rowid_: sql`_rowid_`, oid: sql`oid` } as const

/** The target's own name: SQLite takes no other in RETURNING. */
export function targetName(table: Table): Sql {
  return identifier(table.native.name)
}

/** Names the rows of the target in expressions by the table itself. */
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

/** `alias.rowid = item 0 and ...`: the row that a kept row tells of. `from`: where the key begins in the kept row. */
export function isKeptRow(key: RowKey, alias: Sql, kept: Sql, from: number): Sql {
  const conditions = key.parts(alias).map((part, index) => {
    const item = keptItem(kept, from + index)
    return sql`${part} = ${key.isBytes[index] === true ? sql`unhex(${item})` : item}`
  })
  return joinSql(conditions, ' and ')
}

/** A column of a kept row. */
export function keptItem(kept: Sql, index: number): Sql {
  return sql`(${kept}.value ->> ${integer(index)})`
}

/** Does an assignment change what rows are found by? */
export function changesKey(key: RowKey, assignments: readonly Assignment[]): boolean {
  return assignments.some(({ column }) => key.columns.includes(column))
}
