/**
 * @module HAVING. The server searches its columns in GROUP BY and in the select list only, and only unchanged ones; but a
 * part of HAVING outside of aggregates is the same in every row of a group, so its minimum is the same value.
 *
 * It also searches a column of an outer query in the select list of that query, and refuses one that is there twice
 * (1052): `t.a, exists (select … having t.a), t.a` → `t.a, exists (select … having (select t.a)), t.a`.
 */
import { boundToLevel, type Sql, sql } from '@engine/core/print'
import {
  type Expression,
  type FromItem,
  freeRelationsOf,
  mapExpression,
  type RelationId,
  type SelectQuery,
} from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import { type PrintContext, relationOf } from '../print-context.ts'

/** The FROM items of the query are already printed. Undefined for a query without HAVING. */
export function printHaving({ having, from }: SelectQuery, context: PrintContext): Sql | undefined {
  if (having === undefined) return undefined
  const standIns = new Map<RelationId, RelationId>()
  for (const id of from.flatMap(idsOf)) {
    const standIn = context.nextId()
    standIns.set(id, standIn)
    context.relations.set(standIn, {
      column: (index) => {
        const column = relationOf(id, context).column(index)
        return { ...column, sql: boundToLevel(sql`min(${column.sql})`), isBare: false }
      },
    })
  }
  for (const id of freeRelationsOf(having)) {
    if (standIns.has(id)) continue
    const standIn = context.nextId()
    standIns.set(id, standIn)
    context.relations.set(standIn, {
      column: (index) => {
        const column = relationOf(id, context).column(index)
        return { ...column, sql: sql`(select ${column.sql})`, isBare: false }
      },
    })
  }
  return printFilter(withStandIns(having, standIns), context)
}

function withStandIns(
  having: Expression,
  standIns: ReadonlyMap<RelationId, RelationId>,
): Expression {
  return mapExpression(having, {
    before: (part) => {
      if (part.kind === 'aggregate') return part
      const relation = part.kind === 'column' ? standIns.get(part.relation) : undefined
      return part.kind === 'column' && relation !== undefined ? { ...part, relation } : undefined
    },
  })
}

function idsOf(item: FromItem): readonly RelationId[] {
  return item.kind === 'join' ? [...idsOf(item.left), ...idsOf(item.right)] : [item.id]
}
