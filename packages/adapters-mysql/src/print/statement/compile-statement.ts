/** @module A whole statement as steps of SQL. */
import type { AuthorizedStatement, CompiledStatement } from '@engine/core/adapter'
import { lowerInSteps, type Steps, startContext } from '@engine/core/print'
import {
  type BoundStatement,
  hasSubquery,
  isWrite,
  mayOutlastItself,
  type Query,
  visitQuery,
  type Write,
} from '@engine/core/tree'
import { targetTable } from '../../errors/target-table.ts'
import type { Flavor } from '../../server/flavor.ts'
import { type ServerTraits, traitsOf } from '../../server/server-traits.ts'
import type { PrintContext } from '../print-context.ts'
import { printQueryInSteps } from '../query/print-query.ts'
import { makeStepInSteps } from '../step/make-step.ts'
import type { ResultStep } from '../step/result-step.ts'
import { printWrite } from '../write/print-write.ts'
import { createContext } from './create-context.ts'

/** In steps: the walks of lowering, printing, the finished text. */
export function* compileStatement(
  statement: AuthorizedStatement,
  flavor: Flavor,
): Steps<CompiledStatement> {
  const traits = traitsOf(flavor)
  const lowered = yield* lowerInSteps(statement, traits.lowering)
  yield
  const { body } = lowered
  return isWrite(body)
    ? compileWrite(lowered, body, traits)
    : yield* compileRead(lowered, body, traits)
}

function* compileRead(
  statement: BoundStatement,
  query: Query,
  traits: ServerTraits,
): Steps<CompiledStatement> {
  const { sql, columns } = yield* printQueryInSteps(query, contextOf(statement, traits), 'stored')
  yield
  const step = yield* makeStepInSteps(sql, 'result')
  const result: ResultStep = { ...step, stored: columns.map(({ stored }) => stored) }
  return {
    steps: [result],
    needsTransaction: false,
    isWrite: locksRows(query),
    columns: query.columns,
    hints: mayOutlastItself(statement) ? { outlastsItself: true } : undefined,
  }
}

function compileWrite(
  statement: BoundStatement,
  write: Write,
  traits: ServerTraits,
): CompiledStatement {
  const printed = printWrite(write, contextOf(statement, traits, write))
  const isUndone = traits.faults.silentStops && mayStoreInterrupted(write)
  return {
    ...printed,
    needsTransaction: printed.needsTransaction || isUndone,
    isWrite: true,
    columns: write.returning?.columns ?? [],
    hints: { ...printed.hints, target: targetTable(write.target.table) },
  }
}

/**
 * Can the server store NULL for a subquery that it did not evaluate any more, when the statement is stopped? UPDATE and DELETE
 * look at each row whether they were.
 */
function mayStoreInterrupted(write: Write): boolean {
  if (write.kind !== 'insert') return false
  if (write.source.kind !== 'values') return write.source.kind === 'query'
  return write.source.rows.flat().some((cell) => cell.kind !== 'default' && hasSubquery(cell))
}

/** Such a query runs where writes run. */
function locksRows(query: Query): boolean {
  let isLocking = false
  visitQuery(query, {
    query: (each) => {
      if (each.kind === 'select' && each.locking.length > 0) isLocking = true
    },
  })
  return isLocking
}

function contextOf(statement: BoundStatement, traits: ServerTraits, write?: Write): PrintContext {
  return createContext(startContext(statement, write?.target.table), traits)
}
