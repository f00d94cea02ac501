/** @module A table as one caller may see it. */
import {
  type Column,
  columnName,
  type Expression,
  GatewayError,
  identifier,
  joinSql,
  keyword,
  type SecuredTable,
  type Sql,
  sql,
  type Table,
} from '@engine/core/adapter'
import { aliasOf, type PrintContext, type PrintedColumn, print } from './print-context.ts'
import { allOf, printFilter } from './print-filter.ts'
import { nativeOf } from './read-stored.ts'
import { scaleOfType } from './type-class.ts'

/** What tells the rows of a table apart. */
export interface KeyParts {
  /** Under the name that a relation has. */
  readonly parts: (alias: Sql) => readonly Sql[]
}

export interface PrintedTable {
  /** With its alias. */
  readonly sql: Sql
  readonly column: (ordinal: number) => PrintedColumn
  /** Of the row that a loop stands on. */
  readonly tickColumn: Sql
  readonly isDerived: boolean
}

/** As it stands where nothing is hidden; otherwise as a derived table of the cells that are used. */
export function printSecuredTable(item: SecuredTable, context: PrintContext): PrintedTable {
  const isOpen = item.filter === undefined && item.masks.size === 0 && item.pushed.length === 0
  return isOpen && !item.barrier ? printOpenTable(item, context) : printNarrowedTable(item, context)
}

function printOpenTable(
  { id, table, readable }: SecuredTable,
  context: PrintContext,
): PrintedTable {
  const alias = aliasOf(id, context)
  const column = baseColumns(table, alias)
  return {
    sql: sql`${tableName(table)} as ${alias}`,
    column: (ordinal) => {
      requireReadable(readable, ordinal)
      return column(ordinal)
    },
    tickColumn: tickColumnOf(table, alias),
    isDerived: false,
  }
}

/**
 * As `printSecuredTable` does where something is hidden; with the key of its rows, where one is given.
 *
 * @param raw expressions on the raw row that come out beside its cells.
 */
export function printNarrowedTable(
  item: SecuredTable,
  context: PrintContext,
  rowKey?: KeyParts,
  raw: readonly Expression[] = [],
): PrintedTable & { readonly key: readonly Sql[]; readonly raw: readonly Sql[] } {
  const { id, base, table, readable, masks, barrier } = item
  const [alias, baseAlias] = [aliasOf(id, context), aliasOf(base, context)]
  const column = baseColumns(table, baseAlias)
  context.relations.set(base, { column })
  const used = [...(context.usedColumns.get(id) ?? [])].toSorted((a, b) => a - b)
  const cells = used.map((ordinal) => {
    requireReadable(readable, ordinal)
    const mask = masks.get(ordinal)
    const cell = column(ordinal).sql
    const value =
      mask === undefined ? cell : sql`case when ${print(mask, context)} then ${cell} end`
    return sql`${value} as ${columnName(ordinal)}`
  })
  const tickColumn = tickColumnOf(table, baseAlias)
  const conditions = allOf([
    context.hasTicks ? sql`tick(${tickColumn})` : undefined,
    ...[item.filter, ...item.pushed].map((each) => each && printFilter(each, context)),
  ])
  const keyParts = rowKey?.parts(baseAlias) ?? []
  const keys = keyParts.map((part, index) => sql`${part} as ${keyName(index)}`)
  const others = raw.map((each, index) => sql`${print(each, context)} as ${rawName(index)}`)
  const exported = [...keys, ...others, ...cells]
  const outputs = exported.length === 0 ? sql`1 as c0` : joinSql(exported, ', ')
  const where = conditions === undefined ? sql`` : sql` where ${conditions}`
  const fence = barrier ? sql` limit -1` : sql``
  const first = used[0]
  return {
    sql: sql`(select ${outputs} from ${tableName(table)} as ${baseAlias}${where}${fence}) as ${alias}`,
    column: (ordinal) => {
      const facts = column(ordinal)
      const isMasked = masks.has(ordinal)
      return {
        ...facts,
        sql: sql`${alias}.${columnName(ordinal)}`,
        isNullable: facts.isNullable || isMasked,
        isBare: !isMasked,
      }
    },
    tickColumn: sql`${alias}.${first === undefined ? sql`c0` : columnName(first)}`,
    isDerived: true,
    key: keyParts.map((_, index) => sql`${alias}.${keyName(index)}`),
    raw: raw.map((_, index) => sql`${alias}.${rawName(index)}`),
  }
}

function rawName(index: number): Sql {
  return keyword(`o${index + 1}`)
}

function keyName(index: number): Sql {
  return keyword(`k${index + 1}`)
}

/** With its schema, so that no WITH query is taken for it. */
export function tableName(table: Table): Sql {
  return sql`main.${identifier(table.native.name)}`
}

/** Columns of a table under the name `alias`. */
export function baseColumns(table: Table, alias: Sql): (ordinal: number) => PrintedColumn {
  return (ordinal) => baseColumn(columnAt(table, ordinal), alias)
}

function baseColumn(column: Column, alias: Sql): PrintedColumn {
  return {
    sql: sql`${alias}.${identifier(column.name)}`,
    stored: column,
    isNullable: column.nullable || nativeOf(column).storesNull === true,
    scale: scaleOfType(column.type),
    isBare: true,
  }
}

export function columnAt(table: Table, ordinal: number): Column {
  const column = table.columns[ordinal]
  if (column === undefined)
    throw new GatewayError('internal', `${table.name} has no column ${ordinal}`)
  return column
}

/** Cheap and in every index: the rowid, where there is one. */
function tickColumnOf(table: Table, alias: Sql): Sql {
  const first = columnAt(table, table.primaryKey[0] ?? 0)
  const { rowidName } = nativeOf(first)
  switch (rowidName) {
    case 'rowid':
      return sql`${alias}.rowid`
    case '_rowid_':
      return sql`${alias}._rowid_`
    case 'oid':
      return sql`${alias}.oid`
    default:
      return sql`${alias}.${identifier(first.name)}`
  }
}

function requireReadable(readable: ReadonlySet<number>, ordinal: number): void {
  if (!readable.has(ordinal)) {
    throw new GatewayError('internal', `column ${ordinal} is used although it is not readable`)
  }
}
