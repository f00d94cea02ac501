/** @module Walks bound trees without changing them: every visit is a rewriting without changes. */
import type { BoundStatement, FromItem, Query, RelationId, Write } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { mapExpression, mapQuery, mapStatement, mapWrite, type Rewriter } from './map-query.ts'

/** Called for every node, parts before wholes, subqueries included. */
export interface Visitor {
  readonly expression?: (expression: Expression) => void
  readonly fromItem?: (item: FromItem) => void
  readonly query?: (query: Query) => void
  readonly write?: (write: Write) => void
}

export function visitStatement(statement: BoundStatement, visitor: Visitor): void {
  mapStatement(statement, rewriterOf(visitor))
}

/** Visits a query with its expressions and subqueries. */
export function visitQuery(query: Query, visitor: Visitor): void {
  mapQuery(query, rewriterOf(visitor))
}

export function visitWrite(write: Write, visitor: Visitor): void {
  mapWrite(write, rewriterOf(visitor))
}

/** Visits an expression with its operands and subqueries. */
export function visitExpression(expression: Expression, visitor: Visitor): void {
  mapExpression(expression, rewriterOf(visitor))
}

function rewriterOf(visitor: Visitor): Rewriter {
  return {
    expression: (expression) => {
      visitor.expression?.(expression)
      return expression
    },
    fromItem: (item) => {
      visitor.fromItem?.(item)
      return item
    },
    query: (query) => {
      visitor.query?.(query)
      return query
    },
    write: (write) => {
      visitor.write?.(write)
      return write
    },
  }
}

/** The relations that a query refers to but does not define: it is correlated with them. */
export function freeRelations(query: Query): ReadonlySet<RelationId> {
  const used = new Set<RelationId>()
  const own = new Set<RelationId>()
  visitQuery(query, collector(used, own))
  return used.difference(own)
}

/** The same for one expression. */
export function freeRelationsOf(expression: Expression): ReadonlySet<RelationId> {
  const used = new Set<RelationId>()
  const own = new Set<RelationId>()
  visitExpression(expression, collector(used, own))
  return used.difference(own)
}

function collector(used: Set<RelationId>, own: Set<RelationId>): Visitor {
  return {
    expression: (expression) => {
      if (expression.kind === 'column' || expression.kind === 'wholeRow')
        used.add(expression.relation)
    },
    fromItem: (item) => {
      if (item.kind === 'join') return
      own.add(item.id)
      if (item.kind === 'securedTable') own.add(item.base)
    },
    write: (write) => {
      own.add(write.target.oldRow)
      own.add(write.target.newRow)
    },
  }
}
