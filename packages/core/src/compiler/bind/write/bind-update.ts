import type { UpdateStmt } from '@pgsql/types'
import { bindFrom } from '../from/bind-from.ts'
import { checkFullJoins } from '../from/check-full-join.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { CommonTable, UpdateWrite } from '../tree/bound-query.ts'
import { bindAssignments } from './assignments.ts'
import { bindWriteCondition } from './bind-current-of.ts'
import { bindReturning, relationsOf } from './bind-returning.ts'
import { bindTarget } from './write-target.ts'

export function bindUpdate(
  update: UpdateStmt,
  ctes: readonly CommonTable[],
  outer: Scope,
  context: StatementContext,
): UpdateWrite {
  const { target, oldSource, newSource } = bindTarget(update.relation, 'update', context)
  const from = bindFrom(update.fromClause, { context, outer }, [oldSource])
  const sources = [oldSource, ...from.sources]
  const relations = relationsOf(sources)
  const scope = createScope({ outer, view: context.view, sources, relations })
  const where = bindWriteCondition(update.whereClause, target, scope, context)
  checkFullJoins(from.items, where)
  const afterwards = [newSource, ...from.sources]
  return {
    kind: 'update',
    ctes,
    target,
    from: from.items,
    where,
    returning: bindReturning(update.returningClause, afterwards, outer, context),
    assignments: bindAssignments(
      update.targetList,
      target.table,
      clauseEnvironment(context, scope, 'UPDATE'),
      context,
    ),
    security: undefined,
  }
}
