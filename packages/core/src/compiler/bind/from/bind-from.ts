/** @module FROM: tables, WITH queries, subqueries; joins and functions have their own files. */
import type { Node, RangeSubselect, RangeVar } from '@pgsql/types'
import type { Table } from '../../catalog/catalog.ts'
import { placeColumns, placeTypes } from '../../catalog/table-oid.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { type BoundItem, type FromPlace, lateralScope } from '../scope/from-item.ts'
import {
  columnsOf,
  plainEntry,
  type RangeTableEntry,
  renameColumns,
  requireDistinctNames,
} from '../scope/range-table-entry.ts'
import type { NamedExpression } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { CommonTable, FromItem, RelationId } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { bindFromFunction } from './bind-from-function.ts'
import { bindJoin } from './bind-join.ts'
import { bindTableSample } from './bind-table-sample.ts'

/** A whole FROM clause. */
export interface BoundFrom {
  readonly items: readonly FromItem[]
  readonly sources: readonly RangeTableEntry[]
}

/** @param before entries that names already see: the target of an UPDATE or DELETE, whose name no item may use. */
export function bindFrom(
  nodes: readonly Node[] | undefined,
  place: Omit<FromPlace, 'left'>,
  before: readonly RangeTableEntry[] = [],
): BoundFrom {
  const items: FromItem[] = []
  const sources: RangeTableEntry[] = []
  const blocked = before.map((source) => ({ ...source, isBlocked: true }))
  for (const node of nodes ?? []) {
    const bound = bindFromItem(node, { ...place, left: [...blocked, ...sources] })
    requireDistinctNames([...before, ...sources], bound.sources, positionOfItem(node))
    items.push(bound.item)
    sources.push(...bound.sources)
  }
  return { items, sources }
}

function bindFromItem(node: Node, place: FromPlace): BoundItem {
  if ('RangeVar' in node) return bindRelation(node.RangeVar, place)
  if ('RangeSubselect' in node) return bindSubquery(node.RangeSubselect, place)
  if ('JoinExpr' in node) return bindJoin(node.JoinExpr, place, bindFromItem)
  if ('RangeFunction' in node) return bindFromFunction(node.RangeFunction, place)
  if ('RangeTableSample' in node) return bindTableSample(node.RangeTableSample, place, bindRelation)
  throw unsupported('this FROM item', undefined)
}

function positionOfItem(node: Node): number | undefined {
  return 'RangeVar' in node ? node.RangeVar.location : undefined
}

function bindRelation(relation: RangeVar, place: FromPlace): BoundItem {
  const { context, outer } = place
  const name = relation.relname ?? ''
  const common = relation.schemaname === undefined ? outer.commonTable(name) : undefined
  return common === undefined
    ? bindTable(relation, context.tableNamed(relation), context)
    : bindCommonTable(relation, common, context)
}

function bindTable(relation: RangeVar, table: Table, context: StatementContext): BoundItem {
  context.view.requireGrant?.(table, 'select')
  const id = context.nextId()
  return {
    item: { kind: 'table', id, table },
    sources: [tableSource(relation, table, id, context)],
  }
}

/** A table, or the row of a write's target, under its alias or name. */
export function tableSource(
  relation: RangeVar,
  table: Table,
  id: RelationId,
  context: StatementContext,
): RangeTableEntry {
  const { alias, location } = relation
  const isQualified = relation.schemaname !== undefined || table.name === relation.relname
  const columns = renameColumns(
    readableColumns(table, id, context),
    alias,
    `table "${alias?.aliasname}"`,
    location,
  )
  return {
    name: alias?.aliasname ?? relation.relname,
    qualifiers:
      alias === undefined && isQualified ? context.tableQualifiers(relation, table) : undefined,
    columns,
    relation: id,
    isScalar: false,
    table,
    isNamed: true,
    isOpen: true,
    isBlocked: false,
    ...(table.kind === 'table' && {
      tableOid: (position) => tableOidOf(table, id, position, context),
    }),
  }
}

function tableOidOf(
  table: Table,
  relation: RelationId,
  position: number | undefined,
  context: StatementContext,
): Expression {
  if (table.oid === undefined) throw unsupported('tableoid on this database', position)
  context.tableOids?.set(relation, table)
  const column = placeColumns(table).tableOid
  return { kind: 'column', relation, column, type: placeTypes.tableOid }
}

function readableColumns(
  table: Table,
  id: RelationId,
  context: StatementContext,
): readonly NamedExpression[] {
  const columns = columnsOf(id, table.columns)
  const readable = context.view.readable(table)
  return readable === 'all' ? columns : columns.filter((_, ordinal) => readable.has(ordinal))
}

function bindCommonTable(
  relation: RangeVar,
  common: CommonTable,
  context: StatementContext,
): BoundItem {
  const { alias, location } = relation
  if (isSilentWrite(common)) {
    throw bindError(`WITH query "${relation.relname}" does not have a RETURNING clause`, {
      sqlState: '0A000',
      position: location,
    })
  }
  const id = context.nextId()
  const name = alias?.aliasname ?? relation.relname
  const columns = renameColumns(readColumns(id, common), alias, `table "${name}"`, location)
  return {
    item: { kind: 'cte', id, cte: common.id, columns: common.columns },
    sources: [plainEntry(name, columns, id)],
  }
}

/** The mark of CYCLE is a boolean in the database. */
function readColumns(
  id: RelationId,
  { columns, traversal }: CommonTable,
): readonly NamedExpression[] {
  const read = columnsOf(id, columns)
  const marks = traversal?.marks
  if (marks === undefined) return read
  const { value, otherwise } = marks
  const mark = columns.length - 2
  return read.map(({ name, expression }, index) => {
    if (index !== mark) return { name, expression }
    const whens = [{ condition: expression, result: value }]
    return { name, expression: { kind: 'case', whens, otherwise, type: value.type } }
  })
}

function isSilentWrite({ query }: CommonTable): boolean {
  return 'returning' in query && query.returning === undefined
}

function bindSubquery(node: RangeSubselect, place: FromPlace): BoundItem {
  const { alias, subquery } = node
  if (subquery === undefined || !('SelectStmt' in subquery)) {
    throw unsupported('this subquery in FROM', undefined)
  }
  let isUsed = false
  const outer =
    node.lateral === true
      ? lateralScope(place, () => {
          isUsed = true
        })
      : place.outer
  const query = place.context.bindSelect(subquery.SelectStmt, outer, { keepUnknown: false })
  const id = place.context.nextId()
  const what = `table "${alias?.aliasname}"`
  const columns = renameColumns(columnsOf(id, query.columns), alias, what, undefined)
  return {
    item: { kind: 'subquery', id, query, lateral: isUsed },
    sources: [plainEntry(alias?.aliasname, columns, id)],
  }
}
