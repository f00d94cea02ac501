/** @module Puts barriers where they are needed, and moves leakproof conditions behind them so that indexes still serve. */
import type { BoundStatement, FromItem, RelationId, SelectQuery } from '../bind/bound-query.ts'
import type { Expression } from '../bind/expression.ts'
import { mapExpression, mapStatement } from '../bind/map-query.ts'
import type { SecuredTable } from '../bind/secured-table.ts'
import { freeRelationsOf, visitExpression } from '../bind/visit-query.ts'
import type { TypeSystem } from '../sql-types/type-system.ts'
import { isLeakproof, tablesReachedByLeaks } from './leakage.ts'

/** `statement` with a barrier on every restricted table that a leaky condition could reach. */
export function withBarriers(statement: BoundStatement): BoundStatement {
  const reached = tablesReachedByLeaks(statement)
  if (reached.size === 0) return statement
  const { types } = statement.connection
  return mapStatement(statement, {
    query: (query) => (query.kind === 'select' ? guardSelect(query, types) : query),
    fromItem: (item) =>
      item.kind === 'securedTable' && needsBarrier(item, reached)
        ? { ...item, barrier: true }
        : item,
    write: (write) => {
      const rows = write.security?.rows
      if (write.security === undefined || rows === undefined || !needsBarrier(rows, reached)) {
        return write
      }
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

function needsBarrier(item: SecuredTable, reached: ReadonlySet<RelationId>): boolean {
  return reached.has(item.id) && (item.filter !== undefined || item.masks.size > 0)
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
  if (where === undefined) return []
  const conjuncts = where.kind === 'logical' && where.operator === 'and' ? where.operands : [where]
  return conjuncts.filter((c) => isMovable(c, table, siblings, types)).map((c) => onBase(c, table))
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
      if (part.kind === 'column' && part.relation === table.id && table.masks.has(part.column)) {
        isPlain = false
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
