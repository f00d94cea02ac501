/**
 * @module Aggregates and window functions inside larger expressions, for databases that calculate such expressions wrongly, or
 * too often: the calls become columns of a subquery in FROM, so that the outer expressions contain none.
 */
import type { Query, RelationId, SelectQuery } from '../bind/tree/bound-query.ts'
import { columnsBelow } from '../bind/tree/columns-below.ts'
import type { Expression, WindowCall } from '../bind/tree/expression.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { hasPart } from '../bind/tree/query-level.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import { freeRelations } from '../bind/tree/visit-query.ts'
import { oids } from '../sql-types/oids.ts'
import { noTail } from './derived-table.ts'
import {
  derived,
  integer,
  isPresenceTest,
  type LowerContext,
  unnamed,
} from './expression-builders.ts'
import { asRowsOf, canBeListed } from './listed-rows.ts'
import { usesOf } from './references.ts'

/**
 * `select round(sum(a) / count(*)) from t group by b having avg(c) > 2 order by max(c)` becomes
 * `select round(d.c1 / d.c2) from (select sum(a), count(*), max(c), avg(c) from t group by b) d where d.c4 > 2 order by d.c3`;
 * `select lag(a) over (order by b) || 'x' from t` becomes `select d.c1 || 'x' from (select lag(a) over (order by b) from t) d`. A
 * query whose subquery in FROM would need columns that it cannot see stays as it is, if its calculations are simple enough.
 *
 * @throws {GatewayError} `unsupported` (400) if they are not.
 */
export function withCallsBelow(query: Query, context: LowerContext): Query {
  if (context.dialect.calculatesWithCalls || query.kind !== 'select') return query
  if (typeof query.distinct !== 'string' || query.locking.length > 0) return query
  return windowsBelow(groupsBelow(query, context), context)
}

function groupsBelow(query: SelectQuery, context: LowerContext): SelectQuery {
  const { having, isAggregated } = query
  if (!isAggregated) return query
  const isPlain = shownBy(query).every(isPlainOverGroups)
  if (isPlain && (having === undefined || isPlainCondition(having))) return query
  const id = context.nextId()
  const calls = createCalls(query, id, isAggregate)
  const outer: SelectQuery = {
    ...mapShown(query, calls.over),
    from: [],
    where: having && calls.over(having),
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
  }
  return over(outer, { ...query, having: undefined }, calls, context) ?? unchanged(query, context)
}

function windowsBelow(query: SelectQuery, context: LowerContext): SelectQuery {
  if (shownBy(query).every(isPlainWindow)) return query
  const id = context.nextId()
  const calls = createCalls(
    query,
    id,
    query.isAggregated ? (part) => isWindow(part) || isAggregate(part) : isWindow,
  )
  const outer: SelectQuery = {
    ...mapShown(query, calls.over),
    from: [],
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
  }
  return over(outer, query, calls, context) ?? unchanged(query, context)
}

/** The query itself, if its calculations are simple enough to contain calls. */
function unchanged(query: SelectQuery, { dialect }: LowerContext): SelectQuery {
  const { having } = query
  const isCall = (part: Expression) => isWindow(part) || isAggregate(part)
  // A column that HAVING reads is printed as an aggregate.
  const isRead = (part: Expression) => isCall(part) || part.kind === 'column'
  const isHavingSimple = having === undefined || isSimple(having, isRead)
  if (isHavingSimple && shownBy(query).every((each) => isSimple(each, isCall))) return query
  const construct =
    'a calculation with groups or window functions of a query that refers to another'
  throw unsupportedConstruct(construct, dialect.database, undefined)
}

/** Undefined where the subquery would not see the outer columns that it refers to. */
function over(
  outer: SelectQuery,
  query: SelectQuery,
  { id, needed }: Calls,
  { dialect }: LowerContext,
): SelectQuery | undefined {
  const outputs = needed.length === 0 ? [integer(1)] : needed
  const inner: SelectQuery = {
    ...query,
    ...noTail,
    distinct: 'none',
    outputs,
    columns: outputs.map(({ type }) => unnamed(type)),
  }
  const item = derived(id, inner)
  const rows = { ...outer, from: [item] }
  if (dialect.derivedSeesOutside || freeRelations(inner).size === 0) return rows
  if (!canBeListed(inner)) return undefined
  // A value that is used once becomes a scalar subquery.
  return usesOf(id, rows).count > 1 ? asRowsOf(rows, item, { index: 0, path: [] }) : rows
}

/** The expressions that are calculated for each row of the result. */
function shownBy({ outputs, orderBy }: SelectQuery): readonly Expression[] {
  return [...outputs, ...orderBy.map((key) => key.expression)]
}

function mapShown(query: SelectQuery, map: (expression: Expression) => Expression): SelectQuery {
  return {
    ...query,
    outputs: query.outputs.map(map),
    orderBy: query.orderBy.map((key) => ({ ...key, expression: map(key.expression) })),
  }
}

interface Calls {
  readonly id: RelationId
  /** The expression over the subquery. */
  over(expression: Expression): Expression
  /** The expressions that the subquery must calculate, so far. */
  readonly needed: readonly Expression[]
}

/** Replaces calls, grouping keys and columns of the query's own relations by columns of relation `id`. */
function createCalls(
  query: SelectQuery,
  id: RelationId,
  isCall: (part: Expression) => boolean,
): Calls {
  const needed: Expression[] = []
  const own = relationsIn(query.from)
  const isOwn = (part: Expression) =>
    part.kind === 'column' || part.kind === 'wholeRow'
      ? own.has(part.relation)
      : isPresenceTest(part) && own.has(part.operand.relation)
  return { id, needed, over: columnsBelow(query, { id, needed, isCall, isOwn }) }
}

function isAggregate({ kind }: Expression): boolean {
  return kind === 'aggregate'
}

function isWindow(part: Expression): part is WindowCall {
  return part.kind === 'window'
}

/** No window call inside, or the expression is one. */
function isPlainWindow(expression: Expression): boolean {
  return isWindow(expression) || !hasPart(expression, isWindow)
}

/** No aggregate inside, or the expression is one, or a window function over aggregates. */
function isPlainOverGroups(expression: Expression): boolean {
  if (isAggregate(expression) || !hasPart(expression, isAggregate)) return true
  if (!isWindow(expression)) return false
  const { args, filter, partitionBy, orderBy } = expression
  const parts = [...args, ...(filter ? [filter] : []), ...partitionBy]
  return [...parts, ...orderBy.map((key) => key.expression)].every(isPlainOverGroups)
}

/** `count(*) > 1 and bool_or(a)`: only comparisons of integers. */
function isPlainCondition(condition: Expression): boolean {
  switch (condition.kind) {
    case 'logical':
      return condition.operands.every(isPlainCondition)
    case 'not':
      return isPlainCondition(condition.operand)
    case 'operator': {
      const { left, right } = condition
      if (!comparisons.has(condition.operator.name)) return isPlainOverGroups(condition)
      return [left, right].every(
        (each) => each !== undefined && integers.has(each.type.oid) && isPlainOverGroups(each),
      )
    }
    default:
      return isPlainOverGroups(condition)
  }
}

/** Calls, and around them expressions that use each operand once and do not fail. */
function isSimple(expression: Expression, isCall: (part: Expression) => boolean): boolean {
  const isPartSimple = (part: Expression) => isSimple(part, isCall)
  switch (expression.kind) {
    case 'aggregate':
    case 'column':
      return true
    case 'window':
      return isPlainOverGroups(expression)
    case 'coalesce':
      return expression.args.every(isPartSimple)
    case 'case': {
      // All branches may be computed for every row.
      const { whens, otherwise } = expression
      const parts = whens.flatMap(({ condition, result }) => [condition, result])
      const isHarmless = (part: Expression) =>
        hasPart(part, isCall) ? isPartSimple(part) : leaves.has(part.kind)
      return [...parts, ...(otherwise ? [otherwise] : [])].every(isHarmless)
    }
    case 'logical':
      return expression.operands.every(isPartSimple)
    case 'not':
    case 'nullTest':
    case 'booleanTest':
      return isPartSimple(expression.operand)
    case 'operator': {
      const { left, right, operator, type } = expression
      const isKnown =
        comparisons.has(operator.name) || (sums.has(operator.name) && integers.has(type.oid))
      if (!isKnown || left === undefined) return !hasPart(expression, isCall)
      return isPartSimple(left) && isPartSimple(right)
    }
    default:
      return !hasPart(expression, isCall)
  }
}

const leaves: ReadonlySet<Expression['kind']> = new Set(['column', 'constant', 'parameter'])
const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])
const sums: ReadonlySet<string> = new Set(['+', '-', '*'])
const integers: ReadonlySet<number> = new Set([oids.int2, oids.int4, oids.int8])
