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
  return new Chains().ofBody(statement.body)
}

/** A class: the depths that are known are used by every step of the walk (decision 0088). */
class Chains {
  /** Tables on the longest chain that ends with this relation. */
  readonly #chains = new Map<RelationId, number>()
  readonly #commonTables = new Map<CteId, number>()

  ofBody(body: Query | Write): number {
    return isWrite(body) ? this.#ofWrite(body) : this.#ofQuery(body)
  }

  #register(ctes: readonly CommonTable[]): number {
    let deepest = 0
    for (const { id, query } of ctes) {
      // A recursive reference adds nothing to the chain that contains it.
      this.#commonTables.set(id, 0)
      const depth = this.ofBody(query)
      this.#commonTables.set(id, depth)
      deepest = Math.max(deepest, depth)
    }
    return deepest
  }

  #ofQuery(query: Query): number {
    const before = this.#register(query.ctes)
    const tail = this.#ofExpressions([
      ...query.orderBy.map(({ expression }) => expression),
      query.limit?.count,
      query.offset,
    ])
    switch (query.kind) {
      case 'setOperation':
        return Math.max(before, tail, this.#ofQuery(query.left), this.#ofQuery(query.right))
      case 'values':
        return Math.max(before, tail, this.#ofExpressions(query.rows.flat()))
      case 'select':
        return Math.max(before, this.#ofSelect(query), tail)
    }
  }

  #ofSelect(query: SelectQuery): number {
    const joined = this.#ofJoins(query.from, query.where)
    const others = this.#ofExpressions([
      ...query.outputs,
      ...(typeof query.distinct === 'string' ? [] : query.distinct.on),
      ...(query.groupBy?.expressions ?? []),
      query.having,
    ])
    return Math.max(joined, others)
  }

  /** The chains of a FROM and of the subqueries in its conditions; a write's `target` precedes them. */
  #ofJoins(
    from: readonly FromItem[],
    where: Expression | undefined,
    targets: readonly RelationId[] = [],
  ): number {
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
        id !== leaf.id && siblings.has(id) ? (this.#chains.get(id) ?? []) : [],
      )
      left = this.#weightOf(leaf) + (neighbours.length === 0 ? left : Math.max(...neighbours))
      this.#chains.set(leaf.id, left)
      deepest = Math.max(deepest, left)
    }
    return Math.max(deepest, this.#ofExpressions(conditions))
  }

  /** Base tables on the longest chain inside an item. */
  #weightOf(item: Leaf): number {
    switch (item.kind) {
      case 'table':
      case 'securedTable':
        return 1
      case 'subquery':
        return this.#ofQuery(item.query)
      case 'cte':
        return this.#commonTables.get(item.cte) ?? 0
      case 'function':
        return this.#insideOf(item.call)
    }
  }

  #ofWrite(write: Write): number {
    const before = this.#register(write.ctes)
    const { target, returning } = write
    this.#chains.set(target.oldRow, 1)
    this.#chains.set(target.newRow, 1)
    const answered = this.#ofExpressions(returning?.outputs ?? [])
    return Math.max(1, before, answered, this.#ofChange(write))
  }

  #ofChange(write: Write): number {
    switch (write.kind) {
      case 'update': {
        const joined = this.#ofJoins(write.from, write.where, [write.target.oldRow])
        return Math.max(
          joined,
          this.#ofExpressions(write.assignments.map(({ value }) => cell(value))),
        )
      }
      case 'delete':
        return this.#ofJoins(write.using, write.where, [write.target.oldRow])
      case 'insert': {
        const { source, onConflict } = write
        const action = onConflict?.action
        const own =
          source.kind === 'query'
            ? this.#ofQuery(source.query)
            : this.#ofExpressions(source.kind === 'values' ? source.rows.flat().map(cell) : [])
        if (action?.kind !== 'update') return own
        const updated = action.assignments.map(({ value }) => cell(value))
        return Math.max(own, this.#ofExpressions([...updated, action.where]))
      }
    }
  }

  /** Subqueries continue the chain of the relations in the expression around them. */
  #ofExpressions(expressions: readonly (Expression | undefined)[]): number {
    let deepest = 0
    for (const expression of expressions) {
      const inside = expression === undefined ? 0 : this.#insideOf(expression)
      if (expression === undefined || inside === 0) continue
      const around = [...freeRelationsOf(expression)].map((id) => this.#chains.get(id) ?? 0)
      deepest = Math.max(deepest, inside + Math.max(0, ...around))
    }
    return deepest
  }

  #insideOf(expression: Expression): number {
    const { expressions, query } = partsOf(expression)
    const own = query === undefined ? 0 : this.#ofQuery(query)
    return Math.max(own, ...expressions.map((part) => this.#insideOf(part)))
  }
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
