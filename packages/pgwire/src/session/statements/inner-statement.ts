/** @module A statement inside of another one: of PREPARE, DECLARE CURSOR, COPY. */

import type { NestedText } from '../../syntax/nested-text.ts'
import type { ClientStatement, RouteStatement, StatementText } from './client-statement.ts'

/** @param part where it stands in `text` */
export function innerStatement(
  tree: unknown,
  text: StatementText,
  part: NestedText,
  route: RouteStatement,
): ClientStatement {
  const own = { sql: part.sql, offset: text.offset + part.offset }
  const positionOf = (location: number) => text.positionOf(location) - part.offset
  return { ...own, ...route(tree, { ...own, positionOf }) }
}
