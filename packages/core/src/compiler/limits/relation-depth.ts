/**
 * @module How many tables are chained in a statement: `orders` alone is 1, with its items 2, with their products 3, whether they
 * are joined or nested in subqueries.
 */
import type {
  BoundStatement,
  CommonTable,
  CteId,
  FromItem,
  Query,
  RelationId,
  SelectQuery,
  Write,
} from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import { partsOf } from '../bind/tree/expression-parts.ts'
import { leavesOf } from '../bind/tree/from-items.ts'
import { isWrite } from '../bind/tree/map-query.ts'
import { freeRelations, freeRelationsOf } from '../bind/tree/visit-query.ts'

type Leaf = Exclude<FromItem, { kind: 'join' }>

/**
 * The longest chain of base tables: along join conditions, from an item of FROM to one before it, and from a query to its
 * subqueries. An item that no condition joins with one before it continues the chain of the one on its left.
 */
export function relationDepth(statement: BoundStatement): number {
  /** Tables on the longest chain that ends with this relation. */
  const chains = new Map<RelationId, number>()
  const commonTables = new Map<CteId, number>()

  const ofBody = (body: Query | Write): number => (isWrite(body) ? ofWrite(body) : ofQuery(body))

  const register = (ctes: readonly CommonTable[]): number => {
    let deepest = 0
    for (const { id, query } of ctes) {
      // A recursive reference adds nothing to the chain that contains it.
      commonTables.set(id, 0)
      const depth = ofBody(query)
      commonTables.set(id, depth)
      deepest = Math.max(deepest, depth)
    }
    return deepest
  }

  const ofQuery = (query: Query): number => {
    const before = register(query.ctes)
    const tail = ofExpressions([
      ...query.orderBy.map(({ expression }) => expression),
      query.limit?.count,
      query.offset,
    ])
    switch (query.kind) {
      case 'setOperation':
        return Math.max(before, tail, ofQuery(query.left), ofQuery(query.right))
      case 'values':
        return Math.max(before, tail, ofExpressions(query.rows.flat()))
      case 'select':
        return Math.max(before, ofSelect(query), tail)
    }
  }

  const ofSelect = (query: SelectQuery): number => {
    const joined = ofJoins(query.from, query.where)
    const others = ofExpressions([
      ...query.outputs,
      ...(typeof query.distinct === 'string' ? [] : query.distinct.on),
      ...(query.groupBy?.expressions ?? []),
      query.having,
    ])
    return Math.max(joined, others)
  }

  /** The chains of a FROM and of the subqueries in its conditions; a write's `target` precedes them. */
  const ofJoins = (
    from: readonly FromItem[],
    where: Expression | undefined,
    targets: readonly RelationId[] = [],
  ): number => {
    const leaves = from.flatMap(leavesOf)
    const siblings = new Set([...targets, ...leaves.map(({ id }) => id)])
    const conditions = [...from.flatMap(conditionsOf), ...conjuncts(where)]
    const touched = conditions.map(freeRelationsOf)
    let deepest = 0
    let left = 0
    for (const leaf of leaves) {
      const met = [
        ...touched.filter((relations) => relations.has(leaf.id)),
        correlations(leaf),
      ].flatMap((relations) => [...relations])
      const neighbours = met.flatMap((id) =>
        id !== leaf.id && siblings.has(id) ? (chains.get(id) ?? []) : [],
      )
      left = weightOf(leaf) + (neighbours.length === 0 ? left : Math.max(...neighbours))
      chains.set(leaf.id, left)
      deepest = Math.max(deepest, left)
    }
    return Math.max(deepest, ofExpressions(conditions))
  }

  /** Base tables on the longest chain inside an item. */
  const weightOf = (item: Leaf): number => {
    switch (item.kind) {
      case 'table':
      case 'securedTable':
        return 1
      case 'subquery':
        return ofQuery(item.query)
      case 'cte':
        return commonTables.get(item.cte) ?? 0
      case 'function':
        return insideOf(item.call)
    }
  }

  const ofWrite = (write: Write): number => {
    const before = register(write.ctes)
    const { target, returning } = write
    chains.set(target.oldRow, 1)
    chains.set(target.newRow, 1)
    const answered = ofExpressions(returning?.outputs ?? [])
    return Math.max(1, before, answered, ofChange(write))
  }

  const ofChange = (write: Write): number => {
    switch (write.kind) {
      case 'update': {
        const joined = ofJoins(write.from, write.where, [write.target.oldRow])
        return Math.max(joined, ofExpressions(write.assignments.map(({ value }) => cell(value))))
      }
      case 'delete':
        return ofJoins(write.using, write.where, [write.target.oldRow])
      case 'insert': {
        const { source, onConflict } = write
        const action = onConflict?.action
        const own =
          source.kind === 'query'
            ? ofQuery(source.query)
            : ofExpressions(source.kind === 'values' ? source.rows.flat().map(cell) : [])
        if (action?.kind !== 'update') return own
        const updated = action.assignments.map(({ value }) => cell(value))
        return Math.max(own, ofExpressions([...updated, action.where]))
      }
    }
  }

  /** Subqueries continue the chain of the relations in the expression around them. */
  const ofExpressions = (expressions: readonly (Expression | undefined)[]): number => {
    let deepest = 0
    for (const expression of expressions) {
      const inside = expression === undefined ? 0 : insideOf(expression)
      if (expression === undefined || inside === 0) continue
      const around = [...freeRelationsOf(expression)].map((id) => chains.get(id) ?? 0)
      deepest = Math.max(deepest, inside + Math.max(0, ...around))
    }
    return deepest
  }

  const insideOf = (expression: Expression): number => {
    const { expressions, query } = partsOf(expression)
    const own = query === undefined ? 0 : ofQuery(query)
    return Math.max(own, ...expressions.map(insideOf))
  }

  return ofBody(statement.body)
}

function conditionsOf(item: FromItem): readonly Expression[] {
  if (item.kind !== 'join') return []
  return [...conditionsOf(item.left), ...conditionsOf(item.right), ...conjuncts(item.on)]
}

function conjuncts(condition: Expression | undefined): readonly Expression[] {
  if (condition === undefined) return []
  return condition.kind === 'logical' && condition.operator === 'and'
    ? condition.operands
    : [condition]
}

function correlations(item: Leaf): ReadonlySet<RelationId> {
  if (item.kind === 'subquery') return freeRelations(item.query)
  return item.kind === 'function' ? freeRelationsOf(item.call) : new Set()
}

function cell(value: Expression | { readonly kind: 'default' }): Expression | undefined {
  return value.kind === 'default' ? undefined : value
}
