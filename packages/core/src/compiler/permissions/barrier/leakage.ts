/**
 * @module Finds leaky operations (see `leaky-operation.ts`) in a client's statement that a database could evaluate before a
 * table's own filter. Whatever the order of conditions in the text, a planner may evaluate the cheaper condition first, and a
 * join before a filter that is a join itself.
 */
import type {
  BoundStatement,
  Query,
  RelationId,
  SelectQuery,
  Write,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { partsOf } from '../../bind/tree/expression-parts.ts'
import { isWrite } from '../../bind/tree/map-query.ts'
import { visitExpression, visitStatement } from '../../bind/tree/visit-query.ts'
import { createFlows, type FlowOf } from './column-flow.ts'
import { isLeakyOperation } from './leaky-operation.ts'
import { createUnreadable } from './unreadable-cells.ts'

export interface Leaks {
  /**
   * Tables whose cells are in a condition with a leaky operation. The operation need not use the cells: `case when secret = 1
   * then 1 / zero ...` fails where the secret is 1.
   */
  readonly inConditions: ReadonlySet<RelationId>
  /**
   * A leaky operation in a condition on one table may be evaluated on the rows of another, which the condition does not name: see
   * `carriesConditionsAcrossJoins`.
   */
  readonly reachesEveryTable: boolean
  /** Is there a leaky operation that may be evaluated before all joins are done? */
  readonly beforeJoinsEnd: boolean
  readonly flowOf: FlowOf
}

/** @param statement as bound: it contains no policies, whose conditions are meant to see every row. */
export function findLeaks(statement: BoundStatement): Leaks {
  const flowOf = createFlows(statement)
  const beforeJoinsEnd = isLeakyBeforeJoinsEnd(statement)
  return {
    inConditions: leakyConditions(statement, flowOf),
    reachesEveryTable: beforeJoinsEnd && statement.connection.traits.carriesConditionsAcrossJoins,
    beforeJoinsEnd,
    flowOf,
  }
}

function leakyConditions(statement: BoundStatement, flowOf: FlowOf): ReadonlySet<RelationId> {
  const reached = new Set<RelationId>()
  const alike: ReadonlySet<RelationId>[] = []
  const condition = (expression: Expression | undefined) => {
    for (const conjunct of conjunctsOf(expression)) {
      const { tables, isLeaky } = flowOf(conjunct)
      if (isLeaky) for (const table of tables) reached.add(table)
    }
  }
  visitStatement(statement, {
    query: (query) => {
      if (query.kind !== 'select') return
      condition(query.where)
      condition(query.having)
      if (query.groupBy === undefined) return
      const tables = subqueryTables(query, query.groupBy.expressions)
      alike.push(tables)
      const isLeakyGroup = conjunctsOf(query.having).some((conjunct) => flowOf(conjunct).isLeaky)
      if (isLeakyGroup) for (const table of tables) reached.add(table)
    },
    fromItem: (item) => {
      if (item.kind === 'join') condition(item.on)
      if (item.kind === 'function') condition(item.call)
      if (item.kind === 'table') condition(item.sample)
    },
    write: (write) => {
      if (write.kind !== 'insert') condition(write.where)
    },
  })
  return withAlike(reached, alike)
}

/** A condition around a query may reach one of the tables that must be spelled alike: then all of them count as reached. */
function withAlike(
  reached: ReadonlySet<RelationId>,
  alike: readonly ReadonlySet<RelationId>[],
): ReadonlySet<RelationId> {
  const all = alike
    .filter((tables) => !tables.isDisjointFrom(reached) && !tables.isSubsetOf(reached))
    .reduce((found, tables) => found.union(tables), reached)
  return all.size === reached.size ? reached : withAlike(all, alike)
}

/**
 * Tables in subqueries of GROUP BY and of the clauses after it. HAVING, outputs and keys may contain the same subquery. A
 * database recognises them as equal only if all are spelled alike: with a barrier or without.
 */
function subqueryTables(
  { outputs, having, orderBy }: SelectQuery,
  keys: readonly Expression[],
): ReadonlySet<RelationId> {
  const tables = new Set<RelationId>()
  const expressions = [...keys, ...outputs, ...orderBy.map(({ expression }) => expression)]
  for (const expression of having === undefined ? expressions : [...expressions, having]) {
    visitExpression(expression, {
      fromItem: (item) => {
        if (item.kind === 'table') tables.add(item.id)
      },
    })
  }
  return tables
}

/** The operands of the top-level AND, each of which a database evaluates separately. */
export function conjunctsOf(condition: Expression | undefined): readonly Expression[] {
  if (condition === undefined) return []
  return condition.kind === 'logical' && condition.operator === 'and'
    ? condition.operands
    : [condition]
}

function isLeakyBeforeJoinsEnd(statement: BoundStatement): boolean {
  const { types } = statement.connection
  const isUnreadable = createUnreadable(statement)
  let isFound = false
  visitStatement(
    { ...statement, body: withoutLastSteps(statement.body) },
    {
      expression: (part) => {
        if (isLeakyOperation(part, types) || isUnreadable(part)) isFound = true
      },
    },
  )
  return isFound
}

/**
 * The statement without the expressions that are evaluated last, on its joined and filtered rows: outputs of a SELECT, new
 * values, RETURNING. Outputs of subqueries in FROM stay: a planner may move them down to their base table. Sort keys stay, too:
 * rows may be sorted before they are joined.
 */
function withoutLastSteps(body: Query | Write): Query | Write {
  if (!isWrite(body)) return withoutOutputs(body)
  const returning = body.returning && {
    ...body.returning,
    outputs: body.returning.outputs.flatMap(earlyParts),
  }
  if (body.kind !== 'update') return { ...body, returning }
  const assignments = body.assignments.flatMap(({ column, value }) =>
    value.kind === 'default' ? [] : earlyParts(value).map((part) => ({ column, value: part })),
  )
  return { ...body, returning, assignments }
}

function withoutOutputs(query: Query): Query {
  if (query.kind !== 'select' || query.distinct !== 'none') return query
  const sorted = new Set(
    query.orderBy.flatMap(({ expression }) =>
      expression.kind === 'output' ? [expression.index] : [],
    ),
  )
  const outputs = query.outputs.flatMap((output, i) =>
    sorted.has(i) ? [output] : earlyParts(output),
  )
  return { ...query, outputs }
}

/**
 * The parts of an output that are evaluated early: window calls, for which rows are sorted, and all but the last steps of
 * subqueries.
 */
function earlyParts(output: Expression): readonly Expression[] {
  if (output.kind === 'window') return [output]
  const { expressions, query } = partsOf(output)
  const inner: readonly Expression[] =
    query === undefined ? [] : [{ kind: 'exists', query: withoutOutputs(query), type: output.type }]
  return [...expressions.flatMap(earlyParts), ...inner]
}
