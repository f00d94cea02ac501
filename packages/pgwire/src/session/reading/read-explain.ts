/** @module EXPLAIN, from its tree. */
import { readExplainStatement } from '@engine/core/server'
import type { Fields } from '../../syntax/syntax-node.ts'
import type {
  RouteStatement,
  SessionCommand,
  StatementText,
} from '../statements/client-statement.ts'
import { innerStatement } from '../statements/inner-statement.ts'

/** @throws {GatewayError} 0A000 for options of later versions; 42601, 22023 for invalid options. */
export function readExplain(
  fields: Fields,
  text: StatementText,
  route: RouteStatement,
): SessionCommand {
  const { options, ...inner } = readExplainStatement(fields, text.sql)
  return {
    kind: 'explain',
    statement: innerStatement(fields['query'], text, inner, route),
    options,
  }
}
