/** @module Any query: WITH, then a SELECT, VALUES or set operation. */
import type { SelectStmt } from '@pgsql/types'
import { runSteps, type Steps } from '../../../foundation/steps.ts'
import type { Scope } from '../scope/scope.ts'
import type { SelectOptions, StatementContext } from '../scope/statement-context.ts'
import type { Query } from '../tree/bound-query.ts'
import { bindWith, type WithBinders } from './bind-cte.ts'
import { bindSelect } from './bind-select.ts'
import { bindSetOperation } from './bind-set-operation.ts'
import { bindValues } from './bind-values.ts'

export function bindQuery(
  select: SelectStmt,
  outer: Scope,
  context: StatementContext,
  options: SelectOptions,
): Query {
  return runSteps(bindQueryInSteps(select, outer, context, options))
}

/** @param bindWrite for the top level alone: binds data-modifying statements in its WITH. */
export function* bindQueryInSteps(
  select: SelectStmt,
  outer: Scope,
  context: StatementContext,
  options: SelectOptions,
  bindWrite?: WithBinders['bindWrite'],
): Steps<Query> {
  const { ctes, scope } = bindWith(select.withClause, outer, context, {
    bindUnion: unionBinder(context),
    bindWrite,
  })
  return withCtes(yield* bindBody(select, scope, context, options), ctes)
}

/** Binds the UNION of a recursive query, its own WITH included. */
export function unionBinder(context: StatementContext): WithBinders['bindUnion'] {
  const bindUnion: WithBinders['bindUnion'] = (union, outer, onLeft) => {
    const { ctes, scope } = bindWith(union.withClause, outer, context, { bindUnion })
    return withCtes(runSteps(bindSetOperation(union, scope, context, onLeft)), ctes)
  }
  return bindUnion
}

function withCtes(query: Query, ctes: Query['ctes']): Query {
  return ctes.length === 0 ? query : { ...query, ctes }
}

function* bindBody(
  select: SelectStmt,
  scope: Scope,
  context: StatementContext,
  options: SelectOptions,
): Steps<Query> {
  if (select.valuesLists !== undefined) return bindValues(select, scope, context)
  return select.op === 'SETOP_NONE' || select.op === undefined
    ? yield* bindSelect(select, scope, context, options)
    : yield* bindSetOperation(select, scope, context)
}
