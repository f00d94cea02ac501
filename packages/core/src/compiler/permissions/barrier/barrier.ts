/** @module Puts barriers where they are needed, and moves leakproof conditions inside them so that indexes are still used. */
import type {
  BoundStatement,
  FromItem,
  RelationId,
  SelectQuery,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { mapExpression, mapStatement } from '../../bind/tree/map-query.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { freeRelationsOf, visitExpression, visitStatement } from '../../bind/tree/visit-query.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { hidePatternStatistics } from './hide-pattern-statistics.ts'
import { conjunctsOf, type Leaks } from './leakage.ts'
import { isLeakproof } from './leaky-operation.ts'

/** `statement` with a barrier on every restricted table whose hidden rows a leak could reveal. */
export function withBarriers(statement: BoundStatement, leaks: Leaks): BoundStatement {
  const guarded = guardedTables(statement, leaks)
  if (guarded.size === 0) return statement
  const { types } = statement.connection
  return mapStatement(statement, {
    expression: (expression) => hidePatternStatistics(expression, guarded, leaks.flowOf),
    query: (query) => (query.kind === 'select' ? guardSelect(query, types) : query),
    fromItem: (item) =>
      item.kind === 'securedTable' && guarded.has(item.id) ? { ...item, barrier: true } : item,
    write: (write) => {
      const rows = write.security?.rows
      if (write.security === undefined || rows === undefined || !guarded.has(rows.id)) return write
      const others =
        write.kind === 'update' ? write.from : write.kind === 'delete' ? write.using : []
      const where = write.kind === 'insert' ? undefined : write.where
      const own = conjunctsFor(rows, where, others.flatMap(relationsOf), types)
      return {
        ...write,
        security: { ...write.security, rows: { ...rows, barrier: true, pushed: own } },
      }
    },
  })
}

function guardedTables(statement: BoundStatement, leaks: Leaks): ReadonlySet<RelationId> {
  const guarded = new Set<RelationId>()
  const guard = (table: SecuredTable) => {
    if (barrierReason(table, leaks) !== undefined) guarded.add(table.id)
  }
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'securedTable') guard(item)
    },
    write: ({ security }) => {
      if (security?.rows !== undefined) guard(security.rows)
    },
  })
  return guarded
}

/**
 * The reason for a barrier: a leaky operation in a `condition` with the table's cells, or before a `join`. Undefined: no barrier
 * is needed. Masks need none: a masked cell is a CASE, which keeps its order of evaluation. A filter that reads other tables
 * becomes a join, and a leaky operation of the statement might run before the join.
 */
export function barrierReason(
  { id, filter }: SecuredTable,
  leaks: Leaks,
): 'condition' | 'join' | undefined {
  if (filter === undefined) return undefined
  if (leaks.inConditions.has(id)) return 'condition'
  if (leaks.reachesEveryTable) return 'join'
  return leaks.beforeJoinsEnd && hasQuery(filter) ? 'join' : undefined
}

function hasQuery(expression: Expression): boolean {
  let isFound = false
  visitExpression(expression, {
    query: () => {
      isFound = true
    },
  })
  return isFound
}

function guardSelect(query: SelectQuery, types: TypeSystem): SelectQuery {
  const siblings = query.from.flatMap(relationsOf)
  const guard = (item: FromItem, isOptional: boolean): FromItem => {
    if (item.kind === 'join') {
      const { type } = item
      return {
        ...item,
        left: guard(item.left, isOptional || type === 'right' || type === 'full'),
        right: guard(item.right, isOptional || type === 'left' || type === 'full'),
      }
    }
    if (item.kind !== 'securedTable' || !item.barrier || isOptional) return item
    return { ...item, pushed: conjunctsFor(item, query.where, siblings, types) }
  }
  return { ...query, from: query.from.map((item) => guard(item, false)) }
}

function relationsOf(item: FromItem): readonly RelationId[] {
  return item.kind === 'join' ? [...relationsOf(item.left), ...relationsOf(item.right)] : [item.id]
}

/** The conjuncts of `where` that may be evaluated on the raw rows of `table`, spelled on its base. */
function conjunctsFor(
  table: SecuredTable,
  where: Expression | undefined,
  siblings: readonly RelationId[],
  types: TypeSystem,
): readonly Expression[] {
  return conjunctsOf(where)
    .filter((conjunct) => isMovable(conjunct, table, siblings, types))
    .map((conjunct) => onBase(conjunct, table))
}

function isMovable(
  conjunct: Expression,
  table: SecuredTable,
  siblings: readonly RelationId[],
  types: TypeSystem,
): boolean {
  const relations = freeRelationsOf(conjunct)
  if (!relations.has(table.id)) return false
  if (siblings.some((id) => id !== table.id && relations.has(id))) return false
  let isPlain = isLeakproof(conjunct, types)
  visitExpression(conjunct, {
    query: () => {
      isPlain = false
    },
    expression: (part) => {
      if (part.kind === 'column' && part.relation === table.id) {
        const isUnreadable = table.table.columns[part.column]?.mayBeUnreadable === true
        if (isUnreadable || table.masks.has(part.column)) isPlain = false
      }
      if (part.kind === 'aggregate' || part.kind === 'window') isPlain = false
    },
  })
  return isPlain
}

function onBase(expression: Expression, table: SecuredTable): Expression {
  return mapExpression(expression, {
    expression: (part) =>
      part.kind === 'column' && part.relation === table.id
        ? { ...part, relation: table.base }
        : part,
  })
}
