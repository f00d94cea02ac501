/**
 * @module GROUPING SETS, ROLLUP and CUBE: the rows are read once, into a WITH query; one SELECT for each set groups them, and the
 * remaining clauses (window functions, DISTINCT, ORDER BY) apply to the union of these.
 */
import { GatewayError } from '../../foundation/errors.ts'
import type {
  CteItem,
  GroupBy,
  OutputColumn,
  Query,
  RelationId,
  SelectQuery,
} from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { copyOfExpression } from '../bind/tree/fresh-copy.ts'
import { mapExpression, mapQuery, type Rewriter } from '../bind/tree/map-query.ts'
import { hasPart, replaceParts } from '../bind/tree/query-level.ts'
import { sameExpression } from '../bind/tree/same-expression.ts'
import { chargePlanning } from '../budget/planning-budget.ts'
import { noTail } from './derived-table.ts'
import {
  columnOf,
  derived,
  integer,
  type LowerContext,
  nullConstant,
  unnamed,
} from './expression-builders.ts'
import { unionOf } from './set-operations.ts'
import { splitRows } from './wrap-in-derived-table.ts'

/** Afterwards there is one set with all expressions or no GROUP BY at all, and no GROUPING(). */
export function lowerGroups(query: Query, context: LowerContext): Query {
  if (query.kind !== 'select' || !query.isAggregated) return query
  const { groupBy } = query
  const [only, ...others] = groupBy?.sets ?? []
  if (groupBy === undefined || only === undefined) return withoutEmptyGroup(query)
  return others.length === 0 ? oneSet(query, groupBy, only) : union(query, groupBy, context)
}

/** Every database has GROUP BY with a single set. */
function oneSet(query: SelectQuery, groupBy: GroupBy, set: readonly number[]): Query {
  const replaced = mapQuery(query, { expression: (part) => constantGrouping(part, set) })
  if (replaced.kind !== 'select') return query
  const expressions = (replaced.groupBy ?? groupBy).expressions
  if (set.length === 0) return withoutEmptyGroup({ ...replaced, groupBy: undefined })
  const kept = set.flatMap((index) => expressions[index] ?? [])
  return { ...replaced, groupBy: { expressions: kept, sets: [kept.map((_, index) => index)] } }
}

/** There is always one group, and no expression reads it: HAVING alone decides, without any rows. */
function withoutEmptyGroup(query: SelectQuery): SelectQuery {
  const { groupBy, outputs, having, orderBy } = query
  const all = [...outputs, ...(having ? [having] : []), ...orderBy.map((key) => key.expression)]
  if (groupBy !== undefined || all.some((each) => hasPart(each, isAggregate))) return query
  return { ...query, from: [], where: having, having: undefined, isAggregated: false }
}

function isAggregate({ kind }: Expression): boolean {
  return kind === 'aggregate'
}

/** GROUPING() in one set: a bit for each argument, the last one lowest, 1 where the set does not group by it. */
function constantGrouping(part: Expression, set: readonly number[]): Expression {
  if (part.kind !== 'grouping') return part
  const value = part.expressions.reduce(
    (bits, index) => bits * 2 + (set.includes(index) ? 0 : 1),
    0,
  )
  return { ...integer(value), type: part.type }
}

/**
 * Each set becomes a query of its own: with more sets, the planning budget would refuse the statement after most of it is spent.
 */
const mostSets = 512

function tooManySets(): GatewayError {
  return new GatewayError(
    'limitExceeded',
    `The statement has more than ${mostSets} grouping sets: this database computes each by a query of its own.`,
    { sqlState: '54001', details: { limit: 'grouping sets', allowed: mostSets } },
  )
}

function union(query: SelectQuery, groupBy: GroupBy, context: LowerContext): Query {
  if (groupBy.sets.length > mostSets) throw tooManySets()
  const source = sourceRows(query, context)
  const unionId = context.nextId()
  const results = createResults(source.query.groupBy ?? groupBy, source.relation, unionId)
  const outer = mapTop(source.query, results.over)
  const asked = results.needed()
  // Not every database allows a SELECT without outputs.
  const needed = asked.length > 0 ? asked : [integer(1)]
  const columns = needed.map(({ type }) => unnamed(type))
  // Charged before the first is built: each set has its own copy of everything.
  chargePlanning(asked.length * (source.query.groupBy ?? groupBy).sets.length)
  const arms = (source.query.groupBy ?? groupBy).sets.map((set) =>
    arm(source, needed, set, columns, context),
  )
  return {
    ...outer,
    ctes: [...query.ctes, source.cte],
    from: [derived(unionId, unionOf(arms, columns))],
    where: undefined,
    groupBy: undefined,
    having: undefined,
    isAggregated: false,
    locking: [],
  }
}

interface Source {
  /** The query over the WITH query, which replaces its FROM and WHERE. */
  readonly query: SelectQuery
  readonly relation: RelationId
  readonly cte: SelectQuery['ctes'][number]
}

function sourceRows(query: SelectQuery, context: LowerContext): Source {
  const relation = context.nextId()
  const id = context.nextId()
  const { rest, rows } = splitRows({ ...query, ctes: [] }, relation)
  return {
    query: rest,
    relation,
    cte: {
      id,
      columns: rows.columns,
      query: rows,
      isRecursive: false,
      materialized: true,
    },
  }
}

/**
 * The expressions that the arms must calculate: grouped expressions, aggregates and GROUPING() of this level, each once.
 * Everything around them is calculated over the union.
 */
function createResults(groupBy: GroupBy, source: RelationId, union: RelationId) {
  const needed: Expression[] = []
  const column = (expression: Expression): Expression => {
    const known = needed.findIndex((each) => sameExpression(each, expression))
    const index = known >= 0 ? known : needed.push(expression) - 1
    return columnOf(union, index, expression.type)
  }
  const isGrouped = (part: Expression) =>
    groupBy.expressions.some((each) => each.kind !== 'constant' && sameExpression(each, part))
  const ofRows = (part: Expression) => part.kind === 'column' && part.relation === source
  // An aggregate inside a subquery belongs to that subquery.
  const inside = (part: Expression) => (isGrouped(part) || ofRows(part) ? column(part) : undefined)
  const here = (part: Expression) =>
    part.kind === 'aggregate' || part.kind === 'grouping' ? column(part) : inside(part)
  return {
    over: (expression: Expression) => replaceParts(expression, here, inside),
    needed: (): readonly Expression[] => needed,
  }
}

/** The clauses that apply to the groups. */
function mapTop(query: SelectQuery, map: (expression: Expression) => Expression): SelectQuery {
  const { distinct } = query
  return {
    ...query,
    outputs: query.outputs.map(map),
    orderBy: query.orderBy.map((key) => ({ ...key, expression: map(key.expression) })),
    distinct: typeof distinct === 'string' ? distinct : { on: distinct.on.map(map) },
  }
}

/** One set: expressions that are not in it are NULL outside aggregates. */
function arm(
  { query, relation, cte }: Source,
  needed: readonly Expression[],
  set: readonly number[],
  columns: readonly OutputColumn[],
  context: LowerContext,
): Query {
  const { groupBy, having } = query
  const expressions = groupBy?.expressions ?? []
  const id = context.nextId()
  const item: CteItem = { kind: 'cte', id, cte: cte.id, columns: cte.columns }
  const toOwnRows: Rewriter = {
    expression: (part) =>
      part.kind === 'column' && part.relation === relation ? { ...part, relation: id } : part,
  }
  const kept = set.flatMap((index) => expressions[index] ?? [])
  const isAmong = (part: Expression, all: readonly Expression[]) =>
    part.kind !== 'constant' && all.some((each) => sameExpression(each, part))
  // A grouped expression is matched as a whole before its parts.
  const inside = (part: Expression) => {
    if (isAmong(part, kept)) return part
    return isAmong(part, expressions) ? nullConstant(part.type) : undefined
  }
  const here = (part: Expression) => {
    if (part.kind === 'aggregate') return part
    return part.kind === 'grouping' ? constantGrouping(part, set) : inside(part)
  }
  const own = (expression: Expression) =>
    copyOfExpression(mapExpression(replaceParts(expression, here, inside), toOwnRows), context)
  const grouped: SelectQuery = {
    ...query,
    ...noTail,
    columns,
    outputs: needed.map(own),
    distinct: 'none',
    from: [item],
    groupBy: {
      expressions: kept.map((each) => copyOfExpression(mapExpression(each, toOwnRows), context)),
      sets: [kept.map((_, index) => index)],
    },
    having: having && own(having),
    locking: [],
  }
  return kept.length === 0 ? withoutEmptyGroup({ ...grouped, groupBy: undefined }) : grouped
}
