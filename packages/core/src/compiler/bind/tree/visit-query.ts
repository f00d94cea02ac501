/**
 * @module Walks bound trees without changing them, in the order of `map-query.ts` and with the same charge for each node, but
 * without building anything: most stages only look.
 */
import { unreachable } from '../../../foundation/unreachable.ts'
import { chargePlanning } from '../../budget/planning-budget.ts'
import type {
  Assignment,
  BoundStatement,
  CommonTable,
  DefaultCell,
  FromItem,
  InsertSource,
  Query,
  RelationId,
  SortKey,
  Write,
  WriteSecurity,
} from './bound-query.ts'
import type { Expression } from './expression.ts'
import { partsOf } from './expression-parts.ts'
import { isWrite } from './map-query.ts'
import type { SecuredTable } from './secured-table.ts'

/** Called for every node, parts before wholes, subqueries included. */
export interface Visitor {
  readonly expression?: (expression: Expression) => void
  readonly fromItem?: (item: FromItem) => void
  readonly query?: (query: Query) => void
  readonly write?: (write: Write) => void
}

export function visitStatement(statement: BoundStatement, visitor: Visitor): void {
  visitBody(statement.body, visitor)
}

function visitBody(body: Query | Write, visitor: Visitor): void {
  if (isWrite(body)) visitWrite(body, visitor)
  else visitQuery(body, visitor)
}

/** Visits an expression with its operands and subqueries. */
export function visitExpression(expression: Expression, visitor: Visitor): void {
  const { expressions, query } = partsOf(expression)
  for (const part of expressions) visitExpression(part, visitor)
  if (query !== undefined) visitQuery(query, visitor)
  visitor.expression?.(expression)
}

function visitAll(
  expressions: readonly (Expression | DefaultCell | undefined)[],
  visitor: Visitor,
): void {
  for (const expression of expressions) {
    if (expression !== undefined && expression.kind !== 'default') {
      visitExpression(expression, visitor)
    }
  }
}

/** Visits a query with its expressions and subqueries. */
export function visitQuery(query: Query, visitor: Visitor): void {
  chargePlanning(1)
  visitCtes(query.ctes, visitor)
  visitSortKeys(query.orderBy, visitor)
  visitAll([query.limit?.count, query.offset], visitor)
  visitQueryCore(query, visitor)
  visitor.query?.(query)
}

function visitQueryCore(query: Query, visitor: Visitor): void {
  switch (query.kind) {
    case 'select':
      visitAll(query.outputs, visitor)
      if (typeof query.distinct !== 'string') visitAll(query.distinct.on, visitor)
      for (const item of query.from) visitFromItem(item, visitor)
      visitAll([query.where], visitor)
      visitAll(query.groupBy?.expressions ?? [], visitor)
      visitAll([query.having], visitor)
      return
    case 'setOperation':
      visitQuery(query.left, visitor)
      visitQuery(query.right, visitor)
      return
    case 'values':
      for (const row of query.rows) visitAll(row, visitor)
      return
    default:
      unreachable(query)
  }
}

function visitCtes(ctes: readonly CommonTable[], visitor: Visitor): void {
  for (const { query } of ctes) visitBody(query, visitor)
}

function visitSortKeys(keys: readonly SortKey[], visitor: Visitor): void {
  for (const { expression } of keys) visitExpression(expression, visitor)
}

function visitFromItem(item: FromItem, visitor: Visitor): void {
  chargePlanning(1)
  switch (item.kind) {
    case 'table':
      visitAll([item.sample], visitor)
      break
    case 'cte':
      break
    case 'securedTable':
      visitSecuredTable(item, visitor)
      break
    case 'subquery':
      visitQuery(item.query, visitor)
      break
    case 'function':
      visitExpression(item.call, visitor)
      break
    case 'join':
      visitFromItem(item.left, visitor)
      visitFromItem(item.right, visitor)
      visitAll([item.on], visitor)
      break
    default:
      unreachable(item)
  }
  visitor.fromItem?.(item)
}

function visitSecuredTable(
  { filter, masks, pushed, sample }: SecuredTable,
  visitor: Visitor,
): void {
  visitAll([sample, filter], visitor)
  for (const mask of masks.values()) visitExpression(mask, visitor)
  visitAll(pushed, visitor)
}

export function visitWrite(write: Write, visitor: Visitor): void {
  chargePlanning(1)
  visitCtes(write.ctes, visitor)
  visitAll(write.returning?.outputs ?? [], visitor)
  if (write.security !== undefined) visitSecurity(write.security, visitor)
  visitWriteCore(write, visitor)
  visitor.write?.(write)
}

function visitSecurity(security: WriteSecurity, visitor: Visitor): void {
  const { rows, existing, oldConditions, check, proposed, visible } = security
  if (rows !== undefined) visitSecuredTable(rows, visitor)
  visitAll([existing, ...oldConditions, check, proposed, visible], visitor)
}

function visitWriteCore(write: Write, visitor: Visitor): void {
  switch (write.kind) {
    case 'insert': {
      visitSource(write.source, visitor)
      const action = write.onConflict?.action
      if (action?.kind !== 'update') return
      visitAssignments(action.assignments, visitor)
      visitAll([action.where], visitor)
      return
    }
    case 'update':
      visitAssignments(write.assignments, visitor)
      for (const item of write.from) visitFromItem(item, visitor)
      visitAll([write.where], visitor)
      return
    case 'delete':
      for (const item of write.using) visitFromItem(item, visitor)
      visitAll([write.where], visitor)
      return
    default:
      unreachable(write)
  }
}

function visitSource(source: InsertSource, visitor: Visitor): void {
  switch (source.kind) {
    case 'values':
      for (const row of source.rows) visitAll(row, visitor)
      return
    case 'repeated':
      for (const row of source.shapes) visitAll(row, visitor)
      return
    case 'query':
      visitQuery(source.query, visitor)
      return
    case 'defaults':
      return
    default:
      unreachable(source)
  }
}

function visitAssignments(assignments: readonly Assignment[], visitor: Visitor): void {
  for (const { value } of assignments) visitAll([value], visitor)
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
