/** @module EXPLAIN, from its tree. */
import { readExplainStatement } from '@engine/core/session'
import { type NestedText, textAfterWord } from '../../syntax/nested-text.ts'
import { type Fields, nodeOf } from '../../syntax/syntax-node.ts'
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
  const { tree, part } = explainedPart(fields['query'], inner)
  return { kind: 'explain', statement: innerStatement(tree, text, part, route), options }
}

/** The query of DECLARE, which PostgreSQL explains without opening a cursor. */
function explainedPart(
  tree: unknown,
  part: NestedText,
): { readonly tree: unknown; readonly part: NestedText } {
  const { kind, fields } = nodeOf(tree)
  if (kind !== 'DeclareCursorStmt') return { tree, part }
  const query = textAfterWord(part.sql, 'for')
  return {
    tree: fields['query'],
    part: { sql: query.sql, offset: part.offset + query.offset },
  }
}
