import type { DeleteStmt } from '@pgsql/types'
import { bindFrom } from '../from/bind-from.ts'
import { checkFullJoins } from '../from/check-full-join.ts'
import { createScope } from '../scope/create-scope.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { CommonTable, DeleteWrite } from '../tree/bound-query.ts'
import { bindWriteCondition } from './bind-current-of.ts'
import { bindReturning, relationsOf } from './bind-returning.ts'
import { bindTarget } from './write-target.ts'

export function bindDelete(
  statement: DeleteStmt,
  ctes: readonly CommonTable[],
  outer: Scope,
  context: StatementContext,
): DeleteWrite {
  const { target, oldSource, newSource } = bindTarget(statement.relation, 'delete', context)
  const using = bindFrom(statement.usingClause, { context, outer }, [oldSource])
  const sources = [oldSource, ...using.sources]
  const relations = relationsOf(sources)
  const scope = createScope({ outer, view: context.view, sources, relations })
  const where = bindWriteCondition(statement.whereClause, target, scope, context)
  checkFullJoins(using.items, where)
  return {
    kind: 'delete',
    ctes,
    target,
    using: using.items,
    where,
    returning: bindReturning(
      statement.returningClause,
      [newSource, ...using.sources],
      outer,
      context,
    ),
    security: undefined,
  }
}
