/** @module Joins in parentheses: SQLite makes a subquery of them, which sees no sibling items. */

import type { BoundStatement, FromItem, RelationId } from '../bind/tree/bound-query.ts'
import { relationsIn } from '../bind/tree/from-items.ts'
import { unsupportedConstruct } from '../bind/tree/unsupported.ts'
import { freeRelations, visitStatement } from '../bind/tree/visit-query.ts'
import type { LoweringDialect } from './dialect.ts'
import { select } from './expression-builders.ts'

/** @throws {GatewayError} `unsupported` where a join on the right of another refers to a sibling item. */
export function refuseHiddenSiblings(statement: BoundStatement, dialect: LoweringDialect): void {
  const verify = (items: readonly FromItem[]) => {
    const all = relationsIn(items)
    for (const item of items) verifyItem(item, all, dialect)
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

function verifyItem(item: FromItem, all: ReadonlySet<RelationId>, dialect: LoweringDialect): void {
  if (item.kind !== 'join') return
  verifyItem(item.left, all, dialect)
  verifyItem(item.right, all, dialect)
  if (item.right.kind !== 'join') return
  const beside = all.difference(relationsIn([item.right]))
  const free = freeRelations(select({ outputs: [], from: [item.right] }))
  if (free.isDisjointFrom(beside)) return
  throw unsupportedConstruct('LATERAL inside a join in parentheses', dialect.database, undefined)
}
