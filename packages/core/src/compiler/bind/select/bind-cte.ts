/** @module WITH: the names that it makes visible, and where. */
import type { CommonTableExpr, Node, SelectStmt, WithClause } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { createScope } from '../scope/create-scope.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { nameParts } from '../scope/syntax-node.ts'
import type { CommonTable, CteId, OutputColumn, Query, Write } from '../tree/bound-query.ts'
import { bindTraversal, requireTraversable } from './bind-traversal.ts'
import { recursiveUnion } from './recursive-query.ts'

/** A WITH clause and the names it defines. */
export interface BoundWith {
  /** In an order in which each uses only earlier ones, and itself. */
  readonly ctes: readonly CommonTable[]
  readonly scope: Scope
}

/** Binders for the kinds of statements that a WITH may contain. */
export interface WithBinders {
  /** A UNION; `onLeft` is called between its two sides. */
  readonly bindUnion: (
    union: SelectStmt,
    outer: Scope,
    onLeft: (left: readonly OutputColumn[]) => void,
  ) => Query
  /** Absent where data-modifying statements are not allowed: everywhere but on the top level. */
  readonly bindWrite?: ((statement: Node, outer: Scope) => Write) | undefined
}

export function bindWith(
  clause: WithClause | undefined,
  outer: Scope,
  context: StatementContext,
  binders: WithBinders,
): BoundWith {
  if (clause === undefined) return { ctes: [], scope: outer }
  const commons = (clause.ctes ?? []).flatMap((node) =>
    'CommonTableExpr' in node ? [node.CommonTableExpr] : [],
  )
  requireDistinctNames(commons)
  return clause.recursive === true
    ? bindRecursiveWith(commons, outer, context, binders)
    : bindPlainWith(commons, outer, context, binders)
}

function requireDistinctNames(commons: readonly CommonTableExpr[]): void {
  const names = commons.map(({ ctename }) => ctename)
  const repeated = commons.find(({ ctename }, i) => names.indexOf(ctename) < i)
  if (repeated === undefined) return
  throw bindError(`WITH query name "${repeated.ctename}" specified more than once`, {
    sqlState: '42712',
    position: repeated.location,
  })
}

/** Each query sees the ones before it. */
function bindPlainWith(
  commons: readonly CommonTableExpr[],
  outer: Scope,
  context: StatementContext,
  binders: WithBinders,
): BoundWith {
  const bound = new Map<string, CommonTable>()
  const scope = createScope({ outer, view: context.view, commonTable: (name) => bound.get(name) })
  for (const common of commons) {
    requireTraversable(common, false)
    const table = commonTable(common, context.nextId(), {
      query: bindBody(common, scope, context, binders),
      isRecursive: false,
    })
    bound.set(common.ctename ?? '', table)
  }
  return { ctes: [...bound.values()], scope }
}

/** Each query sees all others and itself: they are bound when first named. */
function bindRecursiveWith(
  commons: readonly CommonTableExpr[],
  outer: Scope,
  context: StatementContext,
  binders: WithBinders,
): BoundWith {
  const waiting = new Map(commons.map((common) => [common.ctename ?? '', common]))
  const bound = new Map<string, CommonTable>()
  /** Names of the queries being bound, innermost last, with their columns for self-references. */
  const started: string[] = []
  const selves = new Map<string, CommonTable>()

  const find = (name: string): CommonTable | undefined => {
    const known = bound.get(name)
    if (known !== undefined) return known
    const common = waiting.get(name)
    if (common === undefined) return undefined
    if (!started.includes(name)) return bindNamed(name, common)
    const self = name === started.at(-1) ? selves.get(name) : undefined
    if (self !== undefined) return self
    throw bindError('mutual recursion between WITH items is not implemented', {
      sqlState: '0A000',
      position: common.location,
    })
  }
  const scope = createScope({ outer, view: context.view, commonTable: find })
  const bindNamed = (name: string, common: CommonTableExpr): CommonTable => {
    started.push(name)
    const id = context.nextId()
    const union = recursiveUnion(common)
    requireTraversable(common, union !== undefined)
    const table =
      union === undefined
        ? commonTable(common, id, {
            query: bindBody(common, scope, context, binders),
            isRecursive: false,
          })
        : bindSelfReferring(common, id, scope, context, (onLeft) =>
            binders.bindUnion(union, scope, (left) => {
              selves.set(name, onLeft(left))
            }),
          )
    started.pop()
    context.openRecursions.delete(id)
    bound.set(name, table)
    return table
  }
  for (const [name, common] of waiting) if (!bound.has(name)) bindNamed(name, common)
  return { ctes: [...bound.values()], scope }
}

/** A self-reference has the columns of the non-recursive term, whatever types the other term has. */
function bindSelfReferring(
  common: CommonTableExpr,
  id: CteId,
  scope: Scope,
  context: StatementContext,
  bindUnion: (onLeft: (left: readonly OutputColumn[]) => CommonTable) => Query,
): CommonTable {
  let seed: readonly OutputColumn[] = []
  const query = bindUnion((left) => {
    seed = left
    context.openRecursions.add(id)
    const columns = renamedColumns(common, left)
    return { id, columns, query: emptyQuery(columns), isRecursive: true, materialized: undefined }
  })
  for (const [i, { type }] of query.columns.entries()) {
    const seedType = seed[i]?.type ?? type
    if (seedType.oid === type.oid && seedType.typmod === type.typmod) continue
    const { types } = context
    const before = types.formatType(seedType.oid, seedType.typmod)
    const overall = types.formatType(type.oid, type.typmod)
    throw bindError(
      `recursive query "${common.ctename}" column ${i + 1} has type ${before} in non-recursive term but type ${overall} overall`,
      { sqlState: '42804', position: common.location },
    )
  }
  const table = commonTable(common, id, { query, isRecursive: true })
  const { traversal, columns } = bindTraversal(common, table.columns, scope, context)
  return traversal === undefined
    ? table
    : { ...table, columns: [...table.columns, ...columns], traversal }
}

/** Placeholder for a recursive query while it is still being bound: only its columns are read. */
function emptyQuery(columns: readonly OutputColumn[]): Query {
  return {
    kind: 'values',
    ctes: [],
    columns,
    rows: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}

function bindBody(
  common: CommonTableExpr,
  scope: Scope,
  context: StatementContext,
  binders: WithBinders,
): Query | Write {
  const { ctequery, location } = common
  if (ctequery === undefined) throw unsupported('this WITH query', location)
  if ('SelectStmt' in ctequery) {
    return context.bindSelect(ctequery.SelectStmt, scope, { keepUnknown: false })
  }
  if (binders.bindWrite !== undefined) return binders.bindWrite(ctequery, scope)
  throw bindError('WITH clause containing a data-modifying statement must be at the top level', {
    sqlState: '0A000',
    position: location,
  })
}

function commonTable(
  common: CommonTableExpr,
  id: CteId,
  body: Pick<CommonTable, 'query' | 'isRecursive'>,
): CommonTable {
  return {
    id,
    columns: renamedColumns(common, columnsOfBody(body.query)),
    ...body,
    materialized: materialized(common),
  }
}

function columnsOfBody(query: Query | Write): readonly OutputColumn[] {
  return 'returning' in query ? (query.returning?.columns ?? []) : query.columns
}

function renamedColumns(
  common: CommonTableExpr,
  columns: readonly OutputColumn[],
): readonly OutputColumn[] {
  const { ctename, aliascolnames, location } = common
  const names = nameParts(aliascolnames, 'this column alias', location)
  if (names.length > columns.length) {
    const message = `WITH query "${ctename}" has ${columns.length} columns available but ${names.length} columns specified`
    throw bindError(message, { sqlState: '42P10', position: location })
  }
  return columns.map((column, i) => ({ ...column, name: names[i] ?? column.name }))
}

function materialized({ ctematerialized }: CommonTableExpr): boolean | undefined {
  switch (ctematerialized) {
    case 'CTEMaterializeAlways':
      return true
    case 'CTEMaterializeNever':
      return false
    default:
      return undefined
  }
}
