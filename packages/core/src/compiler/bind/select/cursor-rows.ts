/**
 * @module The SELECT of a cursor: two more columns for each table that `WHERE CURRENT OF` may name, `tableoid` and `ctid`.
 * `select id from t` becomes `select id, tableoid, ctid from t`.
 */
import type { Table } from '../../catalog/catalog.ts'
import { placeColumns, placeTypes, tableOid } from '../../catalog/table-oid.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type {
  FromItem,
  OutputColumn,
  Query,
  RelationId,
  SelectQuery,
  TableItem,
} from '../tree/bound-query.ts'
import type { CursorRows, RowPlace } from '../tree/cursor-rows.ts'
import type { Expression } from '../tree/expression.ts'
import { leavesOf } from '../tree/from-items.ts'
import { hasPart } from '../tree/query-level.ts'

export interface CursorQuery {
  readonly query: Query
  readonly rows: CursorRows
}

/** Adds the columns with the places of its rows to the query of a cursor. */
export function bindCursorRows(
  query: Query,
  { tableOids }: Pick<StatementContext, 'tableOids'>,
): CursorQuery {
  const width = query.columns.length
  const isScrollable = mayMoveBack(query)
  if (query.kind !== 'select' || !isRowByRow(query)) {
    return { query, rows: { width, isLocking: false, tables: [], isScrollable } }
  }
  const isLocking = query.locking.length > 0
  const items = isLocking ? lockedTables(query) : onlyTable(query)
  const added: { readonly column: OutputColumn; readonly output: Expression }[] = []
  const tables = [...groupedByTable(items)].map(([table, relations]): RowPlace => {
    const [relation, another] = relations
    if (relation === undefined || another !== undefined) return { table, column: undefined }
    tableOids?.set(relation, table)
    const column = width + added.length
    const place = placeColumns(table)
    added.push(
      placeColumn(tableOid, relation, place.tableOid, placeTypes.tableOid),
      placeColumn('ctid', relation, place.ctid, placeTypes.ctid),
    )
    return { table, column }
  })
  return {
    query: {
      ...query,
      columns: [...query.columns, ...added.map(({ column }) => column)],
      outputs: [...query.outputs, ...added.map(({ output }) => output)],
    },
    rows: { width, isLocking, tables, isScrollable },
  }
}

function placeColumn(
  name: string,
  relation: RelationId,
  column: number,
  type: OutputColumn['type'],
): { readonly column: OutputColumn; readonly output: Expression } {
  return { column: { name, type }, output: { kind: 'column', relation, column, type } }
}

/** Is each row of the result one of the joined rows of FROM? */
function isRowByRow(query: SelectQuery): boolean {
  const { isAggregated, groupBy, having, distinct, outputs, orderBy } = query
  if (isAggregated || groupBy !== undefined || having !== undefined || distinct !== 'none') {
    return false
  }
  const all = [...outputs, ...orderBy.map(({ expression }) => expression)]
  return !all.some((each) => hasPart(each, makesOtherRows))
}

function makesOtherRows(part: Expression): boolean {
  return part.kind === 'window' || (part.kind === 'call' && part.function.returnsSet)
}

function hasPlaces(item: FromItem): item is TableItem {
  return item.kind === 'table' && item.table.kind === 'table' && item.table.oid !== undefined
}

function onlyTable({ from }: SelectQuery): readonly TableItem[] {
  const [item, another] = from
  return item !== undefined && another === undefined && hasPlaces(item) ? [item] : []
}

function lockedTables({ from, locking }: SelectQuery): readonly TableItem[] {
  const locked = new Set(locking.flatMap(({ relations }) => relations))
  return from
    .flatMap(leavesOf)
    .filter(hasPlaces)
    .filter(({ id }) => locked.has(id))
}

function groupedByTable(items: readonly TableItem[]): ReadonlyMap<Table, readonly RelationId[]> {
  const found = new Map<string, readonly [Table, readonly RelationId[]]>()
  for (const { table, id } of items) {
    const [first, relations] = found.get(table.key) ?? [table, []]
    found.set(table.key, [first, [...relations, id]])
  }
  return new Map(found.values())
}

/** PostgreSQL decides by the plan: it moves back over one relation, and over no join, group or function in the select list. */
function mayMoveBack(query: Query): boolean {
  if (query.kind === 'values') return true
  if (query.kind !== 'select' || query.locking.length > 0 || !isRowByRow(query)) return false
  if (query.where !== undefined && hasPart(query.where, isJoin)) return false
  const [item, another] = query.from
  if (item === undefined || another !== undefined) return false
  switch (item.kind) {
    case 'table':
      return item.table.kind === 'table' && item.sample === undefined
    case 'function':
    case 'cte':
      return true
    case 'subquery':
      return mayMoveBack(item.query)
    default:
      return false
  }
}

function isJoin({ kind }: Expression): boolean {
  return kind === 'exists' || kind === 'quantifiedSubquery'
}
