/** @module The statement inside another one: in PREPARE, DECLARE CURSOR, COPY. */

import type { NestedText } from '../../syntax/nested-text.ts'
import type { ClientStatement, RouteStatement, StatementText } from './client-statement.ts'

/** @param part its position in `text` */
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
