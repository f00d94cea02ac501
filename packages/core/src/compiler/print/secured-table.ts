/** @module A table as one caller may see it: `t`, or `(select <cells> from t where <conditions>) as t1`. */

import { GatewayError } from '../../foundation/errors.ts'
import type { Expression } from '../bind/tree/expression.ts'
import type { SecuredTable } from '../bind/tree/secured-table.ts'
import type { Column, Table } from '../catalog/catalog.ts'
import { columnName } from './names.ts'
import { aliasOf, type PrinterContext } from './printer-context.ts'
import { commaList, identifier, keyword, type Sql, sql } from './sql-writer.ts'
import { scaleOfType } from './type-class.ts'
import type { PrintedColumn } from './value-properties.ts'

/** The spelling of tables in a dialect. */
export interface TableDialect<Context> {
  tableName(table: Table): Sql
  /** Can a column declared NOT NULL contain NULL nevertheless? */
  storesNull(column: Column): boolean
  print(expression: Expression, context: Context): Sql
  /** The condition under which a cell is shown. */
  printMask(mask: Expression, context: Context): Sql
  /** The clause that keeps the database from merging the derived table, with the blank before it: ` limit -1`. */
  readonly barrier: Sql
}

/** Parts of a derived table of cells. */
export interface CellTableParts {
  /** The conditions on the raw row; undefined for none. */
  readonly where: (baseAlias: Sql) => Sql | undefined
  /** The key of the rows under the table's name: becomes `k1` ... */
  readonly key: (alias: Sql) => readonly Sql[]
  /** Expressions on the raw row: become `o1` ... next to the cells. */
  readonly raw: readonly Expression[]
  /** After the barrier, with the blank before it: a clause that locks the rows. */
  readonly ending: () => Sql
}

/** A printed table. */
export interface PrintedTable {
  /** With its alias. */
  readonly sql: Sql
  readonly column: (ordinal: number) => PrintedColumn
  readonly isDerived: boolean
}

/** The derived table of the used cells, with its key and its cells as they are stored. */
export interface CellTable extends PrintedTable {
  readonly key: readonly Sql[]
  readonly raw: readonly Sql[]
  /** The ordinals of the cells, ascending. */
  readonly used: readonly number[]
}

/** Is everything of the table visible, so that it can be printed without a derived table? */
export function isOpen({ filter, masks, pushed, barrier }: SecuredTable): boolean {
  return filter === undefined && masks.size === 0 && pushed.length === 0 && !barrier
}

/** Prints a table of which every row and every cell is permitted. */
export function printOpenTable<Context extends Pick<PrinterContext, 'aliasPrefix'>>(
  { id, table, readable }: SecuredTable,
  context: Context,
  dialect: TableDialect<Context>,
): PrintedTable {
  const alias = aliasOf(id, context)
  const column = baseColumns(table, alias, dialect)
  return {
    sql: sql`${dialect.tableName(table)} as ${alias}`,
    column: (ordinal) => {
      requireReadable(readable, ordinal)
      return column(ordinal)
    },
    isDerived: false,
  }
}

/**
 * The derived table of the used cells. A database that merges it can use indexes for outer conditions, unless there is a barrier.
 */
export function printCellTable<
  Context extends Pick<PrinterContext, 'relations' | 'usedColumns' | 'aliasPrefix'>,
>(
  item: SecuredTable,
  context: Context,
  dialect: TableDialect<Context>,
  { where, key, raw, ending }: CellTableParts,
): CellTable {
  const { id, base, table, readable, masks, barrier } = item
  const [alias, baseAlias] = [aliasOf(id, context), aliasOf(base, context)]
  const column = baseColumns(table, baseAlias, dialect)
  context.relations.set(base, { column })
  const used = [...(context.usedColumns.get(id) ?? [])].toSorted((a, b) => a - b)
  const cells = used.map((ordinal) => {
    requireReadable(readable, ordinal)
    const mask = masks.get(ordinal)
    const cell = column(ordinal).sql
    const value =
      mask === undefined
        ? cell
        : sql`case when ${dialect.printMask(mask, context)} then ${cell} end`
    return sql`${value} as ${columnName(ordinal)}`
  })
  const condition = where(baseAlias)
  const keyParts = key(baseAlias)
  const keys = keyParts.map((part, index) => sql`${part} as ${keyName(index)}`)
  const others = raw.map((each, index) => sql`${dialect.print(each, context)} as ${rawName(index)}`)
  const exported = [...keys, ...others, ...cells]
  const outputs = exported.length === 0 ? sql`1 as c0` : commaList(exported)
  const clause = condition === undefined ? sql`` : sql` where ${condition}`
  const fence = barrier ? dialect.barrier : sql``
  return {
    sql: sql`(select ${outputs} from ${dialect.tableName(table)} as ${baseAlias}${clause}${fence}${ending()}) as ${alias}`,
    column: (ordinal) => {
      const properties = column(ordinal)
      const isMasked = masks.has(ordinal)
      return {
        ...properties,
        sql: sql`${alias}.${columnName(ordinal)}`,
        isNullable: properties.isNullable || isMasked,
        isBare: !isMasked,
      }
    },
    isDerived: true,
    key: keyParts.map((_, index) => sql`${alias}.${keyName(index)}`),
    raw: raw.map((_, index) => sql`${alias}.${rawName(index)}`),
    used,
  }
}

function rawName(index: number): Sql {
  return keyword(`o${index + 1}`)
}

function keyName(index: number): Sql {
  return keyword(`k${index + 1}`)
}

/** Columns of a table under the name `alias`. */
export function baseColumns(
  table: Table,
  alias: Sql,
  { storesNull }: Pick<TableDialect<never>, 'storesNull'>,
): (ordinal: number) => PrintedColumn {
  return (ordinal) => {
    const column = columnAt(table, ordinal)
    return {
      sql: sql`${alias}.${identifier(column.name)}`,
      stored: column,
      isNullable: column.nullable || storesNull(column),
      scale: scaleOfType(column.type),
      isBare: true,
    }
  }
}

/** The column at an ordinal of a table. */
export function columnAt(table: Table, ordinal: number): Column {
  const column = table.columns[ordinal]
  if (column === undefined) {
    throw new GatewayError('internal', `${table.name} has no column ${ordinal}`)
  }
  return column
}

function requireReadable(readable: ReadonlySet<number>, ordinal: number): void {
  if (!readable.has(ordinal)) {
    throw new GatewayError('internal', `column ${ordinal} is used although it is not readable`)
  }
}
