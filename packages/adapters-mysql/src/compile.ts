/** @module Compiles authorized statements to the SQL of MariaDB or MySQL. */
import type { AuthorizedStatement, CompiledStatement } from '@engine/core/adapter'
import { runSteps, type Steps } from '@engine/core/print'
import { compileStatement } from './print/statement/compile-statement.ts'
import type { Flavor } from './server/flavor.ts'

/**
 * Lowers and prints: pure, synchronous, no I/O.
 *
 * @throws {GatewayError} `unsupported` (400) for a construct without a faithful form on the server.
 */
export function compile(statement: AuthorizedStatement, flavor: Flavor): CompiledStatement {
  return runSteps(compileStatement(statement, flavor))
}

/** The same in steps. */
export function compileInSteps(
  statement: AuthorizedStatement,
  flavor: Flavor,
): Steps<CompiledStatement> {
  return compileStatement(statement, flavor)
}
