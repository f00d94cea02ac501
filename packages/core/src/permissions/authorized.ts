import type { BoundStatement } from '../bind/bound-query.ts'
import type { Branded } from '../brand.ts'

/**
 * A statement narrowed to what a set of roles may see and do. Only `authorize` makes one, and adapters compile
 * nothing else: every base table in it is a SecuredTable and every write carries its WriteSecurity.
 */
export type AuthorizedStatement = Branded<BoundStatement, 'AuthorizedStatement'>
