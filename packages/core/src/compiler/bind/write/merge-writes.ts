/** @module The writes of MERGE: a WHEN clause is an UPDATE, DELETE or INSERT of the rows that it applies to. */
import type { MergeWhenClause } from '@pgsql/types'
import { clauseEnvironment } from '../scope/environment.ts'
import type { Scope } from '../scope/scope.ts'
import { selectFrom } from '../scope/select-over.ts'
import type { DeleteWrite, InsertWrite, Returning, UpdateWrite } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { assignValue } from './assign-value.ts'
import { bindAssignments } from './assignments.ts'
import { columnsFor, overridingOf, targetColumns } from './bind-insert.ts'
import { chosenClause, type Matching, matchedWhere, scopeOver } from './merge-conditions.ts'
import { type MergeSource, readSource } from './merge-source.ts'
import { bindTarget, partAsTarget } from './write-target.ts'

/** The rows are counted. */
const counted: Returning = { outputs: [], columns: [], isCounted: true }

/** @param before the clauses of the same kind up to this one: the first whose condition is TRUE applies. */
export function bindUpdateClause(
  clause: MergeWhenClause,
  before: readonly MergeWhenClause[],
  matching: Matching,
): UpdateWrite {
  const { relation, source, table, context } = matching
  const { target, oldSource } = bindTarget(relation, 'update', context)
  const { item, sources } = readSource(source, context)
  const scope = scopeOver([oldSource, ...sources], matching)
  const where = matchedWhere(before, (each) => each === clause, scope, matching)
  const environment = clauseEnvironment(context, scope, 'UPDATE')
  return {
    kind: 'update',
    ctes: [],
    target,
    from: [item],
    where,
    assignments: bindAssignments(clause.targetList, table, environment, context),
    returning: counted,
    security: undefined,
  }
}

export function bindDeleteClause(
  clause: MergeWhenClause,
  before: readonly MergeWhenClause[],
  matching: Matching,
): DeleteWrite {
  const { target, oldSource } = bindTarget(matching.relation, 'delete', matching.context)
  const { item, sources } = readSource(matching.source, matching.context)
  const scope = scopeOver([oldSource, ...sources], matching)
  return {
    kind: 'delete',
    ctes: [],
    target,
    using: [item],
    where: matchedWhere(before, (each) => each === clause, scope, matching),
    returning: counted,
    security: undefined,
  }
}

export function bindInsertClause(
  clause: MergeWhenClause,
  before: readonly MergeWhenClause[],
  unmatched: MergeSource,
  matching: Matching,
): InsertWrite {
  const { relation, context } = matching
  const { target } = bindTarget(relation, 'insert', context)
  const { item, sources } = readSource(unmatched, context)
  const scope = scopeOver(sources, matching)
  const where = chosenClause(before, (each) => each === clause, scope, matching)
  const overriding = overridingOf(clause)
  const cells = bindCells(clause, scope, matching)
  const given = cells.flatMap(({ column, value }) =>
    value.kind === 'default' ? [] : [{ column, value }],
  )
  const outputs = given.map(({ value }): Expression => value)
  const columns = given.map(({ column, value }) => ({ name: column.name, type: value.type }))
  return {
    kind: 'insert',
    ctes: [],
    target,
    columns: given.map(({ column }) => column.ordinal),
    source: { kind: 'query', query: { ...selectFrom(item, { outputs, columns }), where } },
    onConflict: undefined,
    overriding,
    returning: counted,
    security: undefined,
  }
}

/** The columns of the list with their values; none for DEFAULT VALUES. */
function bindCells(clause: MergeWhenClause, scope: Scope, { relation, table, context }: Matching) {
  const { targetList: cols, values } = clause
  if (values === undefined) return []
  const list = cols === undefined ? { relation } : { relation, cols }
  const assigning = { operation: 'insert', overriding: overridingOf(clause) } as const
  const environment = clauseEnvironment(context, scope, 'VALUES')
  const columns = columnsFor(values, list, targetColumns(list, table, environment, context))
  if (columns.some(({ part }) => part !== undefined)) throw partAsTarget(undefined)
  return values.flatMap((node, i) => {
    const column = columns[i]
    return column === undefined
      ? []
      : [{ column, value: assignValue(node, column, assigning, environment) }]
  })
}
