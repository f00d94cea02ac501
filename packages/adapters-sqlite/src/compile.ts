/** @module Authorized statements → SQLite's SQL. */
import type { AuthorizedStatement, CompiledStatement } from '@engine/core'
import { compileStatement } from './print/compile-statement.ts'

/**
 * Lowers and prints: pure, synchronous, no I/O.
 *
 * @throws {GatewayError} `unsupported` (400) for what SQLite has no faithful form for.
 */
export function compile(statement: AuthorizedStatement): CompiledStatement {
  return compileStatement(statement)
}
