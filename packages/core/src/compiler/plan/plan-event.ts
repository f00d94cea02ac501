import type { BoundStatement } from '../bind/tree/bound-query.ts'
import type { AuthorizedStatement } from '../permissions/authorize/authorized.ts'
import type { ParsedStatement } from '../sql/parse.ts'
import type { CompiledStatement } from './plan.ts'

/** The result of one stage for a statement. */
export type PlanEvent =
  | { readonly kind: 'parsed'; readonly statement: ParsedStatement }
  | { readonly kind: 'bound'; readonly statement: BoundStatement }
  | { readonly kind: 'authorized'; readonly statement: AuthorizedStatement }
  | { readonly kind: 'compiled'; readonly statement: CompiledStatement }
