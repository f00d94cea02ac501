/** @module Joins in parentheses: in SQLite they are a subquery and see nothing beside them. */
import {
  type BoundStatement,
  type FromItem,
  freeRelations,
  type RelationId,
  unsupportedConstruct,
  visitStatement,
} from '@engine/core'
import { relationsIn, select } from './typed.ts'

/** @throws {GatewayError} `unsupported` where a join on the right of another refers to what is beside it. */
export function refuseHiddenSiblings(statement: BoundStatement): void {
  const verify = (items: readonly FromItem[]) => {
    const all = relationsIn(items)
    for (const item of items) verifyItem(item, all)
  }
  visitStatement(statement, {
    query: (query) => {
      if (query.kind === 'select') verify(query.from)
    },
    write: (write) => {
      if (write.kind === 'update') verify(write.from)
    },
  })
}

function verifyItem(item: FromItem, all: ReadonlySet<RelationId>): void {
  if (item.kind !== 'join') return
  verifyItem(item.left, all)
  verifyItem(item.right, all)
  if (item.right.kind !== 'join') return
  const beside = all.difference(relationsIn([item.right]))
  const free = freeRelations(select({ outputs: [], from: [item.right] }))
  if (free.isDisjointFrom(beside)) return
  throw unsupportedConstruct('LATERAL inside a join in parentheses', 'SQLite', undefined)
}
