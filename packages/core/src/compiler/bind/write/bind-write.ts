/** @module INSERT, UPDATE or DELETE with the WITH before it. */
import type { AcceptedStatement } from '../../sql/accepted-syntax.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { bindWith, type WithBinders } from '../select/bind-cte.ts'
import type { Write } from '../tree/bound-query.ts'
import { bindDelete } from './bind-delete.ts'
import { bindInsert } from './bind-insert.ts'
import { bindUpdate } from './bind-update.ts'

export type WriteStatement = Exclude<
  AcceptedStatement,
  { SelectStmt: unknown } | { MergeStmt: unknown }
>

export function bindWrite(
  statement: WriteStatement,
  outer: Scope,
  context: StatementContext,
  binders: WithBinders,
): Write {
  if ('InsertStmt' in statement) {
    const { InsertStmt: insert } = statement
    const { ctes, scope } = bindWith(insert.withClause, outer, context, binders)
    return bindInsert(insert, ctes, scope, context)
  }
  if ('UpdateStmt' in statement) {
    const { UpdateStmt: update } = statement
    const { ctes, scope } = bindWith(update.withClause, outer, context, binders)
    return bindUpdate(update, ctes, scope, context)
  }
  const { ctes, scope } = bindWith(statement.DeleteStmt.withClause, outer, context, binders)
  return bindDelete(statement.DeleteStmt, ctes, scope, context)
}

/** Is it an INSERT, UPDATE or DELETE? */
export function isWriteStatement(node: object): node is WriteStatement {
  return 'InsertStmt' in node || 'UpdateStmt' in node || 'DeleteStmt' in node
}
