/**
 * @module The query level that an aggregate belongs to: the innermost one whose columns its arguments use. In a subquery that may be
 * an outer level, whose clause decides whether an aggregate is allowed: `having exists (select ... where sum(o.x) = i.y)`.
 */
import { bindError, unsupported } from '../../sql/bind-error.ts'
import type { CteId, RelationId } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { visitExpression } from '../tree/visit-query.ts'
import type { ExpressionEnvironment } from './context.ts'
import type { Scope } from './scope.ts'

/** The clauses whose subqueries are being bound, by the names that they see. */
const open = new WeakMap<Scope, ExpressionEnvironment>()

/** Binds a subquery of a clause: aggregates in it may belong to the level of the clause. */
export function bindInside<Bound>(environment: ExpressionEnvironment, bind: () => Bound): Bound {
  const { scope } = environment
  const before = open.get(scope)
  open.set(scope, environment)
  try {
    return bind()
  } finally {
    if (before === undefined) open.delete(scope)
    else open.set(scope, before)
  }
}

/**
 * The environment of the level that a call belongs to; `environment` itself for a call without columns.
 *
 * @param relations whose columns the call uses.
 * @throws {GatewayError} `badRequest` (42803) for a call in FROM over other items of the same FROM, and for one around an
 *   aggregate of an outer level.
 */
export function levelOf(
  relations: ReadonlySet<RelationId>,
  environment: ExpressionEnvironment,
  position: number | undefined,
): ExpressionEnvironment {
  const used = [...relations]
  if (used.length === 0) return environment
  for (let scope: Scope | undefined = environment.scope; scope !== undefined; scope = scope.outer) {
    const here = scope === environment.scope ? environment : open.get(scope)
    if (here?.lifted !== undefined && relations.has(here.lifted.relation ?? -1)) {
      throw bindError('aggregate function calls cannot be nested', { sqlState: '42803', position })
    }
    if (!used.some((relation) => scope.isLocal(relation))) continue
    if (here !== undefined) return here
    const message = 'aggregate functions are not allowed in FROM clause of their own query level'
    throw bindError(message, { sqlState: '42803', position })
  }
  if (environment.aggregates === 'forbidden') return environment
  throw unsupported('an aggregate over these columns', position)
}

/** The column that takes the place of a call in a subquery. */
export function liftTo({ lifted, context }: ExpressionEnvironment, call: Expression): Expression {
  if (lifted === undefined) {
    throw unsupported('an aggregate of an outer query in this place', call.position)
  }
  if (readsCommonTable(call)) {
    const message = 'outer-level aggregate cannot use a nested CTE'
    throw bindError(message, { sqlState: '0A000', position: call.position })
  }
  lifted.relation ??= context.nextId()
  const column = lifted.calls.push(call) - 1
  return { kind: 'column', relation: lifted.relation, column, type: call.type }
}

/** Does it read a WITH query of its surroundings? */
function readsCommonTable(call: Expression): boolean {
  const used = new Set<CteId>()
  const own = new Set<CteId>()
  visitExpression(call, {
    fromItem: (item) => {
      if (item.kind === 'cte') used.add(item.cte)
    },
    query: ({ ctes }) => {
      for (const { id } of ctes) own.add(id)
    },
  })
  return !used.isSubsetOf(own)
}
