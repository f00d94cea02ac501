import { GatewayError } from '@engine/core/adapter'
import type { TypeSystem } from '@engine/core/catalog'
import type { Sql } from '@engine/core/print'
import type { Expression, Query, RelationId } from '@engine/core/tree'
import type { PrintedSubquery } from './printed-subquery.ts'
import type { RelationColumns } from './relation-columns.ts'

/** State of printing one SELECT, while its expressions are printed. */
export interface QueryLevel {
  /** The printed expressions of GROUP BY, for GROUPING(). */
  readonly groupExpressions: readonly Sql[]
}

/** State of printing one statement. */
export interface PrintContext {
  readonly types: TypeSystem
  /** As in `server_version_num`; undefined = one that has everything. */
  readonly serverVersion: number | undefined
  /** Filled as FROM items are printed, before expressions refer to them. */
  readonly relations: Map<RelationId, RelationColumns>
  /** The innermost level is last. */
  readonly levels: QueryLevel[]
  /** The subqueries printed so far, by what `printOnce` compares first. */
  readonly subqueries: Map<string, PrintedSubquery[]>
  /** Number of pieces of text that the server copies when it parses the statement. */
  readonly copies: { pieces: number }
  /** `security.oldConditions` of the write whose check is being printed. */
  oldConditions: readonly Sql[]
  /** Expressions and queries contain each other; both printers are passed in. */
  printExpression(expression: Expression, context: PrintContext): Sql
  /** Without parentheses around it. */
  printQuery(query: Query, context: PrintContext): Sql
}

/** The text of a relation's columns. */
export function relationOf(relation: RelationId, context: PrintContext): RelationColumns {
  const found = context.relations.get(relation)
  if (found === undefined) {
    throw new GatewayError('internal', `relation ${relation} is used where it is not visible`)
  }
  return found
}

/** The level that an expression belongs to; undefined outside of a SELECT. */
export function currentLevel(context: PrintContext): QueryLevel | undefined {
  return context.levels.at(-1)
}
