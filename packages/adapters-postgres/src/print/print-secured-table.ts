import { GatewayError } from '@engine/core/adapter'
import {
  clauses,
  columnName,
  commaList,
  deferred,
  joinSql,
  keyword,
  relationName,
  type Sql,
  sql,
} from '@engine/core/print'
import type { SecuredTable } from '@engine/core/tree'
import type { PrintContext } from './print-context.ts'
import { printTableSample } from './print-table-sample.ts'
import { presence, tableColumnName, tableColumns, tableName } from './relation-columns.ts'

/** Columns of the raw row besides its readable cells, for writes: keys to find it again, conditions of policies. */
export interface RawExport {
  readonly name: Sql
  readonly value: Sql
}

export interface DerivedTableOptions {
  readonly raw?: (context: PrintContext) => readonly RawExport[]
  /** The rows are locked for a write. */
  readonly locks?: boolean
}

/** A table as its caller may see it: by its name where the caller may see all of it, otherwise as a derived table. */
export function printSecuredTable(item: SecuredTable, context: PrintContext): Sql {
  if (isWholeTable(item)) {
    const alias = relationName(item.id)
    const columns = tableColumns(item.table, alias)
    context.relations.set(item.id, {
      ...columns,
      column: (index) => {
        requireReadable(item, index)
        return columns.column(index)
      },
    })
    return rowsOfTable(item, alias, context)
  }
  return printDerivedTable(item, context)
}

/** Returns whether the caller sees every row and, of the readable columns, every cell. */
export function isWholeTable(item: SecuredTable): boolean {
  return item.filter === undefined && item.masks.size === 0 && item.pushed.length === 0
}

/**
 * `(select t2."id" as c1 from "public"."orders" as t2 where ... offset 0) as t1` with the cells that the statement
 * uses.
 */
export function printDerivedTable(
  item: SecuredTable,
  context: PrintContext,
  { raw = () => [], locks = false }: DerivedTableOptions = {},
): Sql {
  const alias = relationName(item.id)
  const base = relationName(item.base)
  context.relations.set(item.base, tableColumns(item.table, base))
  const conditions = [...(item.filter === undefined ? [] : [item.filter]), ...item.pushed]
  const where = conditions.map((condition) => context.printExpression(condition, context))
  const cells = new Map<number, Sql>()
  const exports = raw(context).map(({ name, value }) => sql`${value} as ${name}`)
  context.relations.set(item.id, {
    column: (index) => {
      if (!cells.has(index)) cells.set(index, printCell(item, index, context))
      return sql`${alias}.${columnName(index)}`
    },
    isPresent: () => presence(alias),
  })
  const list = deferred(() => {
    const used = [...cells].sort(([left], [right]) => left - right).map(([, cell]) => cell)
    const all = [...exports, ...used]
    return all.length === 0 ? keyword('select') : sql`select ${commaList(all)}`
  })
  const query = clauses(
    sql`${list} from ${rowsOfTable(item, base, context)}`,
    where.length === 0 ? undefined : sql`where ${joinSql(where, ' and ')}`,
    item.barrier ? keyword('offset 0') : undefined,
    locks ? sql`for update of ${base}` : undefined,
  )
  return sql`(${query}) as ${alias}`
}

/** `"public"."orders" as t1 tablesample pg_catalog.system ($1::float4)` */
function rowsOfTable({ table, sample }: SecuredTable, alias: Sql, context: PrintContext): Sql {
  const named = sql`${tableName(table)} as ${alias}`
  return clauses(named, sample && printTableSample(sample, context))
}

function printCell(item: SecuredTable, index: number, context: PrintContext): Sql {
  requireReadable(item, index)
  const value = sql`${relationName(item.base)}.${tableColumnName(item.table, index)}`
  const mask = item.masks.get(index)
  const cell =
    mask === undefined
      ? value
      : sql`case when ${context.printExpression(mask, context)} then ${value} end`
  return sql`${cell} as ${columnName(index)}`
}

/** The binder resolves only readable columns; this checks it a second time. */
function requireReadable(item: SecuredTable, index: number): void {
  if (item.readable.has(index)) return
  throw new GatewayError('internal', 'a column that is not readable reached the printer')
}
