import type { ReturningClause } from '@pgsql/types'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { createSelectList } from '../select/select-list.ts'
import type { Returning } from '../tree/bound-query.ts'

/** @param sources the stored row, then the other tables of the write. */
export function bindReturning(
  clause: ReturningClause | undefined,
  sources: readonly RangeTableEntry[],
  outer: Scope,
  context: StatementContext,
): Returning | undefined {
  if (clause === undefined) return undefined
  const scope = createScope({ outer, view: context.view, sources, relations: relationsOf(sources) })
  const environment = clauseEnvironment(context, scope, 'RETURNING')
  const list = createSelectList(clause.exprs, environment)
  const outputs = Array.from({ length: list.length }, (_, i) => list.resolve(i, environment))
  return { outputs, columns: outputs.map(({ type }, i) => ({ name: list.nameOf(i), type })) }
}

/** The relations that belong to the level of a write's clauses. */
export function relationsOf(sources: readonly RangeTableEntry[]): ReadonlySet<number> {
  return new Set(sources.flatMap(({ relation }) => (relation === undefined ? [] : [relation])))
}
