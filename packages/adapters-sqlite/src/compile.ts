/** @module Compiles authorized statements to SQLite's SQL. */
import type { AuthorizedStatement, CompiledStatement } from '@engine/core/adapter'
import { runSteps, type Steps } from '@engine/core/print'
import { compileStatement } from './print/statement/compile-statement.ts'
import type { Target } from './print/step/make-step.ts'

/**
 * Lowers and prints: pure, synchronous, no I/O.
 *
 * @throws {GatewayError} `unsupported` (400) for a construct without a faithful form in SQLite.
 */
export function compile(statement: AuthorizedStatement, target?: Target): CompiledStatement {
  return runSteps(compileStatement(statement, target))
}

/** The same in steps. */
export function compileInSteps(
  statement: AuthorizedStatement,
  target?: Target,
): Steps<CompiledStatement> {
  return compileStatement(statement, target)
}
