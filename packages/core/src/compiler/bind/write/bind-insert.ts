import type { InsertStmt, Node, SelectStmt } from '@pgsql/types'
import type { Column, Table } from '../../catalog/catalog.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { isPlainValues } from '../../sql/folded-rows.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { positionOf } from '../scope/syntax-node.ts'
import { valuesRows } from '../select/bind-values.ts'
import type { CommonTable, InsertSource, InsertWrite, TargetStep } from '../tree/bound-query.ts'
import { assignQuery } from './assign-query.ts'
import { type Assigning, assignValue, requireAssignable } from './assign-value.ts'
import { bindOnConflict } from './bind-on-conflict.ts'
import { bindReturning } from './bind-returning.ts'
import { allRows, fixTypesOfRows, haveTypesOfShapes } from './repeated-values.ts'
import { rowsOfCalls } from './rows-of-calls.ts'
import { targetPart } from './target-part.ts'
import { requireDistinctCells, requireWritableColumn } from './view-target.ts'
import { bindTarget, targetColumn } from './write-target.ts'

export function bindInsert(
  insert: InsertStmt,
  ctes: readonly CommonTable[],
  outer: Scope,
  context: StatementContext,
): InsertWrite {
  const { target, oldSource, newSource } = bindTarget(insert.relation, 'insert', context)
  const { table } = target
  const overriding = overridingOf(insert)
  const environment = clauseEnvironment(context, outer, 'VALUES')
  const targets =
    insert.selectStmt === undefined ? [] : targetColumns(insert, table, environment, context)
  const { columns, source } = bindSource(insert, outer, {
    candidates: targets,
    assigning: { operation: 'insert', overriding },
    context,
  })
  for (const column of columns) requireWritableColumn(table, column, 'insert', undefined)
  requireDistinctCells(
    table,
    // Several targets may be parts of one column.
    [...new Set(columns.map(({ ordinal }) => ordinal))],
    'insert',
  )
  const parts = columns.map(({ part }) => part)
  return {
    kind: 'insert',
    ctes,
    target,
    columns: columns.map(({ ordinal }) => ordinal),
    ...(parts.some((part) => part !== undefined) && { parts }),
    source,
    onConflict: bindOnConflict(insert.onConflictClause, table, columns, oldSource, outer, context),
    overriding,
    returning: bindReturning(insert.returningClause, [newSource], outer, context),
    security: undefined,
  }
}

export function overridingOf({
  override,
}: Pick<InsertStmt, 'override'>): InsertWrite['overriding'] {
  switch (override) {
    case 'OVERRIDING_SYSTEM_VALUE':
      return 'system'
    case 'OVERRIDING_USER_VALUE':
      return 'user'
    default:
      return undefined
  }
}

/** A column that an INSERT writes, or a part of one; `type` is that of the part. */
export interface TargetColumn extends Column {
  readonly part?: readonly TargetStep[]
}

/** The columns of the list; without a list all columns, for callers who may see and write them all. */
export function targetColumns(
  insert: Pick<InsertStmt, 'cols' | 'relation'>,
  table: Table,
  environment: ExpressionEnvironment,
  context: StatementContext,
): readonly TargetColumn[] {
  if (insert.cols === undefined) {
    const writable = context.view.writable?.(table, 'insert') ?? 'all'
    if (writable === 'all' && context.view.readable(table) === 'all') return table.columns
    throw bindError('INSERT needs a list of columns here', {
      sqlState: '42601',
      position: insert.relation?.location,
    })
  }
  const named = new Set<number>()
  const inParts = new Set<number>()
  return insert.cols.map((node) => {
    if (!('ResTarget' in node)) throw unsupported('this column of INSERT', undefined)
    const { indirection, location } = node.ResTarget
    const column = targetColumn(node.ResTarget, table, 'insert', context)
    const isPart = indirection !== undefined
    if (named.has(column.ordinal) && !(isPart && inParts.has(column.ordinal))) {
      throw bindError(`column "${column.name}" specified more than once`, {
        sqlState: '42701',
        position: node.ResTarget.location,
      })
    }
    named.add(column.ordinal)
    if (!isPart) return column
    inParts.add(column.ordinal)
    return { ...column, ...targetPart(column, indirection, location, environment) }
  })
}

/** The context that the values of an INSERT are bound in. */
interface SourcePlace {
  /** The columns of the list, or all columns: then the values go into the first ones. */
  readonly candidates: readonly TargetColumn[]
  readonly assigning: Assigning
  readonly context: StatementContext
}

interface BoundSource {
  readonly columns: readonly TargetColumn[]
  readonly source: InsertSource
}

function bindSource(insert: InsertStmt, outer: Scope, place: SourcePlace): BoundSource {
  const { selectStmt } = insert
  if (selectStmt === undefined) return { columns: [], source: { kind: 'defaults' } }
  if (!('SelectStmt' in selectStmt)) throw unsupported('this source of INSERT', undefined)
  const { SelectStmt: select } = selectStmt
  if (!isPlainValues(select)) return bindQuerySource(select, insert, outer, place)
  const asQuery = rowsOfCalls(select, place.context.types)
  return asQuery === undefined
    ? bindRows(select, insert, outer, place)
    : bindQuerySource(asQuery, insert, outer, place)
}

function bindRows(
  select: SelectStmt,
  insert: InsertStmt,
  outer: Scope,
  { candidates, assigning, context }: SourcePlace,
): BoundSource {
  const nodes = valuesRows(select)
  const columns = columnsFor(nodes[0] ?? [], insert, candidates)
  const environment = clauseEnvironment(context, outer, 'VALUES')
  const bindRow = (row: readonly Node[]) =>
    row.flatMap((node, i) => {
      const column = columns[i]
      if (column?.part !== undefined && 'SetToDefault' in node) {
        throw unsupported('DEFAULT for a part of a column', positionOf(node))
      }
      return column === undefined ? [] : [assignValue(node, column, assigning, environment)]
    })
  const repeated = context.repeated?.values === select ? context.repeated : undefined
  if (repeated === undefined || !haveTypesOfShapes(repeated, context.parameters)) {
    const rows = repeated === undefined ? nodes : allRows(nodes, repeated)
    return { columns, source: { kind: 'values', rows: rows.map(bindRow) } }
  }
  const shapes = nodes.map(bindRow)
  fixTypesOfRows(repeated, context.parameters)
  return { columns, source: { kind: 'repeated', shapes, rows: repeated.rows } }
}

function bindQuerySource(
  select: SelectStmt,
  insert: InsertStmt,
  outer: Scope,
  { candidates, assigning, context }: SourcePlace,
): BoundSource {
  const query = context.bindSelect(select, outer, { keepUnknown: true })
  const columns = columnsFor(
    query.columns.map((_, i) => select.targetList?.[i]),
    insert,
    candidates,
  )
  for (const column of columns) requireAssignable(column, assigning, undefined)
  const environment = clauseEnvironment(context, outer, 'VALUES')
  return { columns, source: { kind: 'query', query: assignQuery(query, columns, environment) } }
}

/** The columns for the given values. */
export function columnsFor(
  values: readonly (Node | undefined)[],
  insert: Pick<InsertStmt, 'cols'>,
  candidates: readonly TargetColumn[],
): readonly TargetColumn[] {
  const width = values.length
  const isEnough = insert.cols === undefined || width === candidates.length
  if (width <= candidates.length && isEnough) return candidates.slice(0, width)
  const isLong = width > candidates.length
  const message = isLong
    ? 'INSERT has more expressions than target columns'
    : 'INSERT has more target columns than expressions'
  const first = isLong ? values[candidates.length] : insert.cols?.[width]
  throw bindError(message, { sqlState: '42601', position: first && positionOf(first) })
}
