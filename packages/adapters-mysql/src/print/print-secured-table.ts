/** @module A table as one caller may see it. */
import {
  type Column,
  columnName,
  commaList,
  type Expression,
  freeRelationsOf,
  GatewayError,
  identifier,
  keyword,
  type Locking,
  qualifiedName,
  type SecuredTable,
  type Sql,
  sql,
  type Table,
} from '@engine/core/adapter'
import { aliasOf, type PrintContext, type PrintedColumn, print } from './print-context.ts'
import { allOf, printFilter } from './print-filter.ts'
import { noLimit } from './print-limit.ts'
import { printLocking } from './print-locking.ts'
import { printPolicyFilter } from './print-policy-filter.ts'
import { scaleOfType } from './type-class.ts'

export interface PrintedTable {
  /** With its alias. */
  readonly sql: Sql
  readonly column: (ordinal: number) => PrintedColumn
  readonly isDerived: boolean
}

export interface NarrowedTable extends PrintedTable {
  readonly key: readonly Sql[]
  readonly raw: readonly Sql[]
}

export interface NarrowedParts {
  /** What tells the rows of the table apart, by its name there: comes out as `k1` ... */
  readonly key?: (alias: Sql) => readonly Sql[]
  /** Expressions on the raw row that come out beside its cells, as `o1` ... */
  readonly raw?: readonly Expression[]
  /** The rows are locked: FOR UPDATE, or as the clause says. It must stand inside, where the table is. */
  readonly locks?: boolean | Pick<Locking, 'strength' | 'wait'>
}

/** As it stands where nothing is hidden; otherwise as a derived table of the cells that are used. */
export function printSecuredTable(
  item: SecuredTable,
  context: PrintContext,
  locks: NarrowedParts['locks'] = false,
): PrintedTable {
  const isOpen = item.filter === undefined && item.masks.size === 0 && item.pushed.length === 0
  return isOpen && !item.barrier
    ? printOpenTable(item, context)
    : printNarrowedTable(item, context, { locks })
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
    isDerived: false,
  }
}

/**
 * The derived table of the cells that are used. The server puts the query behind it in its place, so that indexes serve
 * conditions outside, unless there is a barrier: a LIMIT, which it does not look through.
 */
export function printNarrowedTable(
  item: SecuredTable,
  context: PrintContext,
  { key, raw = [], locks = false }: NarrowedParts = {},
): NarrowedTable {
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
      mask === undefined ? cell : sql`case when ${printFilter(mask, context)} then ${cell} end`
    return sql`${value} as ${columnName(ordinal)}`
  })
  const conditions = allOf([
    item.filter && printPolicyFilter(item.filter, context),
    ...visiblePushed(item, context).map((each) => printFilter(each, context)),
  ])
  const keyParts = key?.(baseAlias) ?? []
  const keys = keyParts.map((part, index) => sql`${part} as ${keyName(index)}`)
  const others = raw.map((each, index) => sql`${print(each, context)} as ${rawName(index)}`)
  const exported = [...keys, ...others, ...cells]
  const outputs = exported.length === 0 ? sql`1 as c0` : commaList(exported)
  const where = conditions === undefined ? sql`` : sql` where ${conditions}`
  const fence = barrier ? sql` limit ${noLimit}` : sql``
  const clause = locks === true ? forUpdate : locks
  const lock = clause === false ? sql`` : printLocking(clause, context)
  return {
    sql: sql`(select ${outputs} from ${tableName(table)} as ${baseAlias}${where}${fence}${lock}) as ${alias}`,
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
    isDerived: true,
    key: keyParts.map((_, index) => sql`${alias}.${keyName(index)}`),
    raw: raw.map((_, index) => sql`${alias}.${rawName(index)}`),
  }
}

const forUpdate = { strength: 'update', wait: 'block' } as const

/** Conditions of the client that may stand inside: MariaDB's derived tables do not see what is outside. */
function visiblePushed(
  { base, pushed }: SecuredTable,
  { flavor }: PrintContext,
): readonly Expression[] {
  if (flavor.kind === 'mysql') return pushed
  return pushed.filter((each) => freeRelationsOf(each).isSubsetOf(new Set([base])))
}

function rawName(index: number): Sql {
  return keyword(`o${index + 1}`)
}

function keyName(index: number): Sql {
  return keyword(`k${index + 1}`)
}

/** With its database, so that no WITH query is taken for it. */
export function tableName({ native }: Table): Sql {
  return qualifiedName(native.schema, native.name)
}

/** Columns of a table under the name `alias`. */
export function baseColumns(table: Table, alias: Sql): (ordinal: number) => PrintedColumn {
  return (ordinal) => baseColumn(columnAt(table, ordinal), alias)
}

function baseColumn(column: Column, alias: Sql): PrintedColumn {
  return {
    sql: sql`${alias}.${identifier(column.name)}`,
    stored: column,
    isNullable: column.nullable,
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

function requireReadable(readable: ReadonlySet<number>, ordinal: number): void {
  if (!readable.has(ordinal)) {
    throw new GatewayError('internal', `column ${ordinal} is used although it is not readable`)
  }
}
