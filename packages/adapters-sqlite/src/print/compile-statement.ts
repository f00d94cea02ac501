/** @module A whole statement as steps of SQL. */
import {
  type AuthorizedStatement,
  type BoundStatement,
  type CompiledStatement,
  GatewayError,
  isWrite,
  type PlanStep,
  type Query,
  type RelationId,
  renderSql,
  type Sql,
  unsupportedConstruct,
  visitQuery,
  visitStatement,
} from '@engine/core'
import { lowerStatement } from '../lower/lower-statement.ts'
import { isBoundedQuery } from './bounded.ts'
import type { PrintContext } from './print-context.ts'
import { printExpression } from './print-expression.ts'
import { printQuery } from './print-query.ts'

export function compileStatement(statement: AuthorizedStatement): CompiledStatement {
  const lowered = lowerStatement(statement)
  const { body } = lowered
  if (isWrite(body)) throw new GatewayError('unsupported', 'writes are not there yet')
  return compileRead(lowered, body)
}

function compileRead(statement: BoundStatement, query: Query): CompiledStatement {
  const isBounded = isBoundedQuery(query)
  const context = createContext(statement, !isBounded)
  const { sql } = printQuery(query, context, 'stored')
  const step = makeStep(sql, 'result')
  return {
    steps: [step],
    needsTransaction: false,
    isWrite: locksRows(query),
    columns: query.columns,
    hints: hintsOf(query, isBounded),
  }
}

function hintsOf(query: Query, isBounded: boolean): CompiledStatement['hints'] {
  const isLimited = query.limit?.max !== undefined
  if (!isBounded && !isLimited) return undefined
  return { ...(isBounded ? { bounded: true } : {}), ...(isLimited ? { limited: true } : {}) }
}

/** Rows are locked by being alone: such a query runs where writes run. */
function locksRows(query: Query): boolean {
  let isLocking = false
  visitQuery(query, {
    query: (each) => {
      if (each.kind === 'select' && each.locking.length > 0) isLocking = true
    },
  })
  return isLocking
}

function createContext(statement: BoundStatement, hasTicks: boolean): PrintContext {
  let { nextId } = statement
  return {
    types: statement.connection.types,
    relations: new Map(),
    ctes: new Map(),
    usedColumns: usedColumnsOf(statement),
    hasTicks,
    oldConditions: [],
    nextId: () => nextId++,
    printExpression,
    printQuery,
  }
}

function usedColumnsOf(statement: BoundStatement): ReadonlyMap<RelationId, ReadonlySet<number>> {
  const used = new Map<RelationId, Set<number>>()
  visitStatement(statement, {
    expression: (expression) => {
      if (expression.kind !== 'column') return
      const columns = used.get(expression.relation) ?? new Set()
      used.set(expression.relation, columns.add(expression.column))
    },
  })
  return used
}

/** SQLite takes no more parameters in one statement. */
const mostParameters = 32_766

export function makeStep(text: Sql, yields: PlanStep['yields']): PlanStep {
  const rendered = renderSql(text, { kind: 'numbered', prefix: '?' })
  if (rendered.parameters.length > mostParameters) {
    throw unsupportedConstruct(`more than ${mostParameters} values in one statement`, 'SQLite', undefined)
  }
  return {
    sql: rendered.text,
    parameters: rendered.parameters,
    yields,
    checkColumn: undefined,
    visibleColumn: undefined,
  }
}
