import type { ReturningClause } from '@pgsql/types'
import type { Returning } from './bound-query.ts'
import { createScope } from './create-scope.ts'
import { clauseEnvironment } from './environment.ts'
import type { Scope } from './scope.ts'
import { createSelectList } from './select-list.ts'
import type { Source } from './source.ts'
import type { StatementContext } from './statement-context.ts'

/** @param sources the stored row, then the other tables of the write. */
export function bindReturning(
  clause: ReturningClause | undefined,
  sources: readonly Source[],
  outer: Scope,
  context: StatementContext,
): Returning | undefined {
  if (clause === undefined) return undefined
  const scope = createScope({ outer, view: context.view, sources, relations: relationsOf(sources) })
  const environment = clauseEnvironment(context, scope, 'RETURNING')
  const list = createSelectList(clause.exprs, scope)
  const outputs = Array.from({ length: list.length }, (_, i) => list.resolve(i, environment))
  return { outputs, columns: outputs.map(({ type }, i) => ({ name: list.nameOf(i), type })) }
}

/** The relations that a write's clauses may call their own. */
export function relationsOf(sources: readonly Source[]): ReadonlySet<number> {
  return new Set(sources.flatMap(({ relation }) => (relation === undefined ? [] : [relation])))
}
