/** @module ON and WHEN of MERGE, as conditions of the writes and reads that a MERGE consists of. */
import type { MergeStmt, MergeWhenClause, Node } from '@pgsql/types'
import type { Table } from '../../catalog/catalog.ts'
import { unsupported } from '../../sql/bind-error.ts'
import { joinLogical } from '../coercion/join-logical.ts'
import { boolType } from '../coercion/null-test.ts'
import { bindBoolean } from '../expressions/bind-expression.ts'
import { tableSource } from '../from/bind-from.ts'
import type { Clause } from '../scope/context.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { Scope } from '../scope/scope.ts'
import { selectFrom } from '../scope/select-over.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { positionOf } from '../scope/syntax-node.ts'
import type { FromItem, SelectQuery, TableItem } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { isVolatile } from '../tree/volatility.ts'
import { relationsOf } from './bind-returning.ts'
import { type MergeSource, readSource, storedRows } from './merge-source.ts'

/** The parts of a MERGE that its clauses share. */
export interface Matching {
  readonly relation: NonNullable<MergeStmt['relation']>
  readonly table: Table
  readonly source: MergeSource
  readonly on: Node
  readonly outer: Scope
  readonly context: StatementContext
}

type Choice = (clause: MergeWhenClause) => boolean

/** The names at one place of the statement. */
export function scopeOver(
  sources: readonly RangeTableEntry[],
  { outer, context }: Matching,
): Scope {
  return createScope({ outer, view: context.view, sources, relations: relationsOf(sources) })
}

/** The condition that a row of the target and a row of the source match, and that a chosen clause applies to them. */
export function matchedWhere(
  clauses: readonly MergeWhenClause[],
  isChosen: Choice,
  scope: Scope,
  matching: Matching,
): Expression {
  const on = bindOn(scope, matching)
  const chosen = chosenClause(clauses, isChosen, scope, matching)
  if (chosen === undefined) return on
  // ON occurs twice: it finds the rows, and it keeps the conditions of WHEN from being evaluated on other rows.
  const whens = [{ condition: bindOn(scope, matching), result: chosen }]
  const guarded: Expression = { kind: 'case', whens, otherwise: constant(false), type: boolType }
  return joinLogical('and', [on, guarded], undefined)
}

/**
 * `case when <first condition> then false when <second condition> then true … else false end`: the first clause whose condition
 * is TRUE applies. Undefined where it is always TRUE.
 */
export function chosenClause(
  clauses: readonly MergeWhenClause[],
  isChosen: Choice,
  scope: Scope,
  { context }: Matching,
): Expression | undefined {
  const whens = clauses.flatMap((clause) =>
    clause.condition === undefined
      ? []
      : [
          {
            condition: bindCondition(clause.condition, 'WHEN', scope, context),
            result: constant(isChosen(clause)),
          },
        ],
  )
  const otherwise = clauses.some((each) => each.condition === undefined && isChosen(each))
  if (whens.length > 0) {
    return { kind: 'case', whens, otherwise: constant(otherwise), type: boolType }
  }
  return otherwise ? undefined : constant(false)
}

/** The rows of the source that match no row of the target. */
export function unmatchedRows(matching: Matching): MergeSource {
  const { source, context } = matching
  const { item, sources, cells } = readSource(source, context)
  const target = readTarget(matching)
  const scope = scopeOver([target.entry, ...sources], matching)
  const matches = { ...rowsOf([target.item]), where: bindOn(scope, matching) }
  const found: Expression = { kind: 'exists', query: matches, type: boolType }
  const rows: SelectQuery = {
    ...selectFrom(item, { outputs: cells, columns: source.rows.columns }),
    where: { kind: 'not', operand: found, type: boolType },
  }
  return { ...source, rows: storedRows(rows, context) }
}

/** The matched pairs of rows that a chosen clause applies to, and the rows of the target in them. */
export function matchedRows(
  clauses: readonly MergeWhenClause[],
  isChosen: Choice,
  matching: Matching,
): { readonly pairs: SelectQuery; readonly rows: SelectQuery } {
  const place = () => {
    const { item, sources } = readSource(matching.source, matching.context)
    const target = readTarget(matching)
    const scope = scopeOver([target.entry, ...sources], matching)
    return { target, item, where: matchedWhere(clauses, isChosen, scope, matching) }
  }
  const both = place()
  const one = place()
  const pair = { ...rowsOf([one.item]), where: one.where }
  return {
    pairs: { ...rowsOf([both.item, both.target.item]), where: both.where },
    rows: {
      ...rowsOf([one.target.item]),
      where: { kind: 'exists', query: pair, type: boolType },
    },
  }
}

/** The rows of the target that the caller sees, in one place of the statement. */
export function readTarget({ relation, table, context }: Matching): {
  readonly item: TableItem
  readonly entry: RangeTableEntry
} {
  const id = context.nextId()
  return { item: { kind: 'table', id, table }, entry: tableSource(relation, table, id, context) }
}

/** `select from <items>` */
export function rowsOf(from: readonly FromItem[]): SelectQuery {
  return {
    kind: 'select',
    ctes: [],
    columns: [],
    outputs: [],
    distinct: 'none',
    from,
    where: undefined,
    groupBy: undefined,
    isAggregated: false,
    having: undefined,
    locking: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }
}

function bindOn(scope: Scope, { on, context }: Matching): Expression {
  return bindCondition(on, 'JOIN/ON', scope, context)
}

/** Several parts of the statement evaluate the condition for the same rows: all of them must get the same result. */
function bindCondition(
  node: Node,
  clause: Clause,
  scope: Scope,
  context: StatementContext,
): Expression {
  const condition = bindBoolean(node, clauseEnvironment(context, scope, clause))
  if (!isVolatile(condition)) return condition
  const construct = 'a volatile function in a condition of MERGE (compute it in the source)'
  throw unsupported(construct, positionOf(node))
}

function constant(value: boolean): Expression {
  return { kind: 'constant', value: String(value), type: boolType }
}
