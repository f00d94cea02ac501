/**
 * @module The size of a statement after a database has replaced references to derived columns by their expressions, as planners
 * do: `select c || c from (select c || c as c from …)` doubles with every level.
 */

import { GatewayError } from '../../foundation/errors.ts'
import type { BoundStatement, CteId, Query, RelationId } from '../bind/tree/bound-query.ts'
import type { Expression, InList } from '../bind/tree/expression.ts'
import { partsOf } from '../bind/tree/expression-parts.ts'
import { isWrite } from '../bind/tree/map-query.ts'
import { outputsOf } from '../bind/tree/outputs-of.ts'
import { visitStatement } from '../bind/tree/visit-query.ts'

/** Nodes of one expression after every reference to a derived column is replaced. */
const maxExpandedSize = 100_000

/**
 * Refuses a statement in which an expanded expression would be too large.
 *
 * @throws {GatewayError} `limitExceeded` (400).
 */
export function enforceExpandedSize(statement: BoundStatement): void {
  const sizeOf = createSizes(statement)
  const verify = (expression: Expression) => {
    if (sizeOf(expression) <= maxExpandedSize) return
    throw new GatewayError(
      'limitExceeded',
      'The statement refers too often to columns that refer to columns: it would grow beyond all bounds.',
      { sqlState: '54001' },
    )
  }
  visitStatement(statement, {
    query: (query) => {
      if (query.kind !== 'select') return
      query.outputs.forEach(verify)
      if (query.where !== undefined) verify(query.where)
      if (query.having !== undefined) verify(query.having)
    },
    fromItem: (item) => {
      if (item.kind === 'join' && item.on !== undefined) verify(item.on)
    },
  })
}

/** The most copies, in pieces of text, that the PostgreSQL printer lets the server make for the lists of a statement. */
const maxListCopies = 3_000

/** PostgreSQL copies the operand of IN once for all constants and once for each other item. */
function copiesOfOperand({ items }: InList): number {
  return Math.max(1, items.filter(({ kind }) => kind !== 'constant' && kind !== 'parameter').length)
}

type ColumnSize = (column: number) => number

function createSizes(statement: BoundStatement): (expression: Expression) => number {
  const relations = new Map<RelationId, ColumnSize>()
  const commonTables = new Map<CteId, ColumnSize>()

  const sizeOf = (expression: Expression): number => {
    if (expression.kind === 'column') {
      return relations.get(expression.relation)?.(expression.column) ?? 1
    }
    const { expressions, query } = partsOf(expression)
    if (expression.kind === 'inList') {
      const operand = sizeOf(expression.operand)
      const copies = (copiesOfOperand(expression) - 1) * operand
      const copied = copies <= maxListCopies ? operand + copies : operand
      return Math.min(1 + copied + sum(expression.items.map(sizeOf)), maxExpandedSize + 1)
    }
    const inner = query === undefined ? 0 : sum(query.columns.map((_, i) => outputSize(query, i)))
    return Math.min(1 + inner + sum(expressions.map(sizeOf)), maxExpandedSize + 1)
  }
  const outputSize = (query: Query, column: number): number =>
    sum(outputsOf(query, column).map(sizeOf))
  const sizesOf = (query: Query) => remembered((column) => outputSize(query, column))

  visitStatement(statement, {
    query: (query) => {
      for (const { id, query: body } of query.ctes) {
        if (!isWrite(body)) commonTables.set(id, sizesOf(body))
      }
    },
    write: (write) => {
      for (const { id, query: body } of write.ctes) {
        if (!isWrite(body)) commonTables.set(id, sizesOf(body))
      }
    },
    fromItem: (item) => {
      if (item.kind === 'subquery') relations.set(item.id, sizesOf(item.query))
      if (item.kind === 'cte') {
        relations.set(item.id, (column) => commonTables.get(item.cte)?.(column) ?? 1)
      }
    },
  })
  return sizeOf
}

/** Each column is measured once; a column that depends on itself (recursion) counts as one node there. */
function remembered(measure: ColumnSize): ColumnSize {
  const known = new Map<number, number>()
  return (column) => {
    const found = known.get(column)
    if (found !== undefined) return found
    known.set(column, 1)
    const size = measure(column)
    known.set(column, size)
    return size
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => Math.min(total + size, maxExpandedSize + 1), 0)
}
