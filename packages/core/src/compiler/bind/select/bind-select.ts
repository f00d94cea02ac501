/** @module A SELECT with all its clauses. */

import type { SelectStmt } from '@pgsql/types'
import type { Steps } from '../../../foundation/steps.ts'
import type { Table } from '../../catalog/catalog.ts'
import { bindError } from '../../sql/bind-error.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import { bindBoolean } from '../expressions/bind-expression.ts'
import { type BoundFrom, bindFrom } from '../from/bind-from.ts'
import { checkFullJoins } from '../from/check-full-join.ts'
import type { Clause, ExpressionEnvironment, LiftedCalls } from '../scope/context.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { SelectOptions, StatementContext } from '../scope/statement-context.ts'
import type { GroupBy, RelationId, SelectQuery } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { leavesOf, relationsIn } from '../tree/from-items.ts'
import { bindGroupBy } from './bind-group-by.ts'
import { bindLimit } from './bind-limit.ts'
import { bindLocking } from './bind-locking.ts'
import { checkGrouping } from './check-grouping.ts'
import { withGroupsBelow } from './groups-below.ts'
import { columnsOfList, createSelectList, type SelectList } from './select-list.ts'
import { bindSortAndDistinct } from './sort-and-distinct.ts'
import { checkWindows, namedWindows } from './window-clause.ts'

/**
 * Binds the clauses in the order in which PostgreSQL does, since the first use of a parameter decides its type; only
 * GROUP BY comes first, for GROUPING() in the others.
 *
 * @param outer names of outer levels and of the WITH queries before the SELECT.
 */
export function* bindSelect(
  select: SelectStmt,
  outer: Scope,
  context: StatementContext,
  options: SelectOptions,
): Steps<SelectQuery> {
  const from = bindFrom(select.fromClause, { context, outer })
  const relations = relationsIn(from.items)
  const scope = createScope({ outer, view: context.view, sources: from.sources, relations })
  const windows = namedWindows(select.windowClause)
  const lifted: LiftedCalls = { relation: undefined, calls: [] }
  const selecting = { namedWindows: windows, lifted }
  const starEnvironment = clauseEnvironment(context, scope, 'SELECT', selecting)
  const list = createSelectList(select.targetList, starEnvironment)
  const groupBy = bindGroups(select, list, from, {
    environment: clauseEnvironment(context, scope, 'GROUP BY'),
    listEnvironment: clauseEnvironment(context, scope, 'SELECT', selecting),
  })
  const grouped = { namedWindows: windows, groupExpressions: groupBy?.expressions ?? [], lifted }
  const environmentOf = (clause: Clause) => clauseEnvironment(context, scope, clause, grouped)

  const listEnvironment = environmentOf('SELECT')
  const columns = yield* columnsOfList(list, listEnvironment)
  const where = select.whereClause && bindBoolean(select.whereClause, environmentOf('WHERE'))
  yield
  checkFullJoins(from.items, where)
  const havingEnvironment = environmentOf('HAVING')
  const having = select.havingClause && bindBoolean(select.havingClause, havingEnvironment)
  const orderEnvironment = environmentOf('ORDER BY')
  const distinctEnvironment = environmentOf('DISTINCT ON')
  const sorting = { columns, list, listEnvironment, orderEnvironment, distinctEnvironment }
  const { orderBy, distinct, outputs: bound } = bindSortAndDistinct(select, sorting)
  const windowParts = checkWindows(windows, environmentOf('SELECT'))
  const outputs = options.keepUnknown
    ? bound
    : bound.map((output) => resolveUnknown(output, listEnvironment))

  yield
  const found = foundIn([
    starEnvironment,
    listEnvironment,
    havingEnvironment,
    orderEnvironment,
    distinctEnvironment,
  ])
  if (found.aggregates) refuseRecursion(from, context)
  const query: SelectQuery = {
    kind: 'select',
    ctes: [],
    columns: outputs.map(({ type }, i) => ({ name: list.nameOf(i), type })),
    outputs,
    distinct,
    from: from.items,
    where,
    groupBy,
    isAggregated: groupBy !== undefined || having !== undefined || found.aggregates,
    having,
    locking: [],
    orderBy,
    ...bindLimit(select, scope, context),
  }
  const checked = query.isAggregated
    ? { ...query, groupBy: checkedGroups(query, windowParts, from, context) }
    : query
  const locked = bindLocking(select.lockingClause, checked, from.sources, found)
  const { relation, calls } = lifted
  return relation === undefined ? locked : withGroupsBelow(locked, relation, calls)
}

function bindGroups(
  select: SelectStmt,
  list: SelectList,
  from: BoundFrom,
  environments: Readonly<Record<'environment' | 'listEnvironment', ExpressionEnvironment>>,
): GroupBy | undefined {
  if (select.groupClause === undefined) return undefined
  return bindGroupBy(select.groupClause, select.groupDistinct === true, {
    ...environments,
    list,
    isColumn: (name) =>
      from.sources.some(
        ({ isOpen, columns }) => isOpen && columns.some((column) => column.name === name),
      ),
  })
}

function foundIn(environments: readonly ExpressionEnvironment[]) {
  return {
    aggregates: environments.some(({ found }) => found.aggregates > 0),
    windows: environments.some(({ found }) => found.windows > 0),
    sets: environments.some(({ found }) => (found.sets ?? 0) > 0),
  }
}

/** @param windowParts expressions of the WINDOW clause. */
function checkedGroups(
  query: SelectQuery,
  windowParts: readonly Expression[],
  from: BoundFrom,
  context: StatementContext,
): GroupBy | undefined {
  const { groupBy, outputs, having, orderBy, distinct } = query
  const expressions = [
    ...outputs,
    ...(having ? [having] : []),
    ...orderBy.map((key) => key.expression),
    ...(typeof distinct === 'object' ? distinct.on : []),
    ...windowParts,
  ]
  return checkGrouping(expressions, {
    groupBy,
    relations: relationsIn(from.items),
    tables: tablesOf(from),
    sources: from.sources,
    types: context.types,
  })
}

function tablesOf(from: BoundFrom): ReadonlyMap<RelationId, Table> {
  const items = from.items.flatMap(leavesOf)
  return new Map(items.flatMap((item) => (item.kind === 'table' ? [[item.id, item.table]] : [])))
}

/** The recursive term of a recursive query runs row by row: it cannot be grouped. */
function refuseRecursion(from: BoundFrom, context: StatementContext): void {
  const refers = from.items
    .flatMap(leavesOf)
    .some((item) => item.kind === 'cte' && context.openRecursions.has(item.cte))
  if (!refers) return
  throw bindError("aggregate functions are not allowed in a recursive query's recursive term", {
    sqlState: '42P19',
    position: undefined,
  })
}
