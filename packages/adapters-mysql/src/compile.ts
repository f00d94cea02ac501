/** @module Authorized statements → MariaDB's or MySQL's SQL. */
import type { AuthorizedStatement, CompiledStatement } from '@engine/core/adapter'
import type { Flavor } from './flavor.ts'
import { compileStatement } from './print/statement/compile-statement.ts'

/**
 * Lowers and prints: pure, synchronous, no I/O.
 *
 * @throws {GatewayError} `unsupported` (400) for what the server has no faithful form for.
 */
export function compile(statement: AuthorizedStatement, flavor: Flavor): CompiledStatement {
  return compileStatement(statement, flavor)
}
