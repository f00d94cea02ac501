import type { Query } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { visitQuery } from './visit-query.ts'

/** Oids below this are PostgreSQL's own. A function of an application may read any data, whatever its declaration. */
const firstUserOid = 16_384

/** Can the rows of a query depend on what a database stores? */
export function readsTables(query: Query): boolean {
  let isFound = false
  visitQuery(query, {
    fromItem: ({ kind }) => {
      if (kind === 'securedTable' || kind === 'table') isFound = true
    },
    expression: (part) => {
      if (isOfApplication(part)) isFound = true
    },
  })
  return isFound
}

/** Is this node a call of a function or an operator that PostgreSQL itself does not have? */
export function isOfApplication(part: Expression): boolean {
  return 'function' in part && typeof part.function !== 'string'
    ? part.function.oid >= firstUserOid
    : 'operator' in part && typeof part.operator !== 'string' && part.operator.oid >= firstUserOid
}
