/**
 * @module MERGE, as the reads and writes that it consists of:
 * `merge into t using s on p when matched then update set x = s.x when not matched then insert (id) values (s.id)` →
 * `with q as materialized (select … from s), n as materialized (select … from q where not exists (select from t where p)),
 * u as (update t set x = q.x from q where p), i as (insert into t (id) select n.id from n)` and the number of rows written.
 * All of them see the tables as they were before the statement.
 */
import type { MergeStmt, MergeWhenClause, RangeVar } from '@pgsql/types'
import type { Table } from '../../catalog/catalog.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { requireDistinctNames } from '../scope/range-table-entry.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { required } from '../scope/syntax-node.ts'
import { bindWith, type WithBinders } from '../select/bind-cte.ts'
import type { CommonTable, SelectQuery, Write } from '../tree/bound-query.ts'
import { isWrite } from '../tree/map-query.ts'
import { mayShareRows } from '../tree/written-table.ts'
import {
  chosenClause,
  type Matching,
  matchedRows,
  matchedWhere,
  readTarget,
  rowsOf,
  scopeOver,
  unmatchedRows,
} from './merge-conditions.ts'
import { bindMergeSource, readSource } from './merge-source.ts'
import { bindDeleteClause, bindInsertClause, bindUpdateClause } from './merge-writes.ts'
import { requireNoRule } from './ruled-table.ts'

export function bindMerge(
  merge: MergeStmt,
  root: Scope,
  context: StatementContext,
  binders: WithBinders,
): SelectQuery {
  const { ctes, scope: outer } = bindWithOf(merge, root, context, binders)
  const clauses = whenClauses(merge)
  const { relation, sourceRelation, joinCondition } = merge
  if (relation === undefined) throw unsupported('MERGE without a table', undefined)
  const table = targetTable(relation, clauses, context)
  requireNoRule(table, ['insert', 'update', 'delete'], relation.location)
  const source = bindMergeSource(required(sourceRelation, 'MERGE'), outer, context)
  const on = required(joinCondition, 'MERGE')
  const matching: Matching = { relation, table, source, on, outer, context }
  requireDistinctNames([readTarget(matching).entry], source.entries, undefined)
  const matched = clauses.filter(isMatched)
  if (matched.some(isWriting)) refuseRowsWrittenTwice(merge, ctes, table)
  const { writes, unmatched } = bindClauses(clauses, matching)
  const guard =
    source.isOneRow || !matched.some(isWriting)
      ? undefined
      : matchedRows(matched, isWriting, matching)
  const pairs = guard && commonTable(guard.pairs, context)
  const rows = guard && commonTable(guard.rows, context)
  return {
    ...rowsOf([]),
    ctes: [...ctes, source.rows, unmatched?.rows, pairs, rows, ...writes].filter(
      (cte) => cte !== undefined,
    ),
    counted: {
      writes: writes.map(({ id }) => id),
      matches: pairs && rows && { pairs: pairs.id, rows: rows.id },
    },
  }
}

function bindWithOf(
  { withClause }: MergeStmt,
  root: Scope,
  context: StatementContext,
  binders: WithBinders,
) {
  if (withClause?.recursive === true) {
    const message = 'WITH RECURSIVE is not supported for MERGE statement'
    throw bindError(message, { sqlState: '42601', position: withClause.location })
  }
  return bindWith(withClause, root, context, binders)
}

/** Which of two writes of a row comes first is PostgreSQL's choice, and so is the error if it is this one. */
function refuseRowsWrittenTwice(
  { withClause }: MergeStmt,
  ctes: readonly CommonTable[],
  table: Table,
): void {
  for (const { query } of ctes) {
    if (!isWrite(query) || !changesRows(query)) continue
    if (!mayShareRows(query.target.table, table)) continue
    throw unsupported(
      'a write in WITH that changes rows of the target of MERGE',
      withClause?.location,
    )
  }
}

/** May it write a row that was there before the statement? A trigger of a view may. */
function changesRows(write: Write): boolean {
  if (write.kind !== 'insert' || write.target.table.kind === 'view') return true
  return write.onConflict?.action.kind === 'update'
}

function whenClauses({ mergeWhenClauses }: MergeStmt): readonly MergeWhenClause[] {
  const clauses = (mergeWhenClauses ?? []).map((node) => {
    if (!('MergeWhenClause' in node)) throw unsupported('this clause of MERGE', undefined)
    return node.MergeWhenClause
  })
  for (const [i, { condition, matchKind }] of clauses.entries()) {
    if (condition !== undefined) continue
    if (clauses.slice(i + 1).some((later) => later.matchKind === matchKind)) {
      const message = 'unreachable WHEN clause specified after unconditional WHEN clause'
      throw bindError(message, { sqlState: '42601', position: undefined })
    }
  }
  return clauses
}

function isMatched({ matchKind }: MergeWhenClause): boolean {
  return matchKind === 'MERGE_WHEN_MATCHED'
}

function isWriting({ commandType }: MergeWhenClause): boolean {
  return commandType !== 'CMD_NOTHING'
}

/** The target, whose rows the conditions read. Every operation needs its grant before anything else is looked at. */
function targetTable(
  relation: RangeVar,
  clauses: readonly MergeWhenClause[],
  context: StatementContext,
): Table {
  const table = context.tableNamed(relation)
  for (const { commandType } of clauses) {
    if (commandType === 'CMD_INSERT') context.view.requireGrant?.(table, 'insert')
    if (commandType === 'CMD_UPDATE') context.view.requireGrant?.(table, 'update')
    if (commandType === 'CMD_DELETE') context.view.requireGrant?.(table, 'delete')
  }
  context.view.requireGrant?.(table, 'select')
  if (table.kind === 'view') {
    throw unsupported(`writing to the view "${table.name}"`, relation.location)
  }
  return table
}

/** The writes: deletions first, so that an inserted or changed row may take the place of a deleted one. */
function bindClauses(clauses: readonly MergeWhenClause[], matching: Matching) {
  const matched = clauses.filter(isMatched)
  const others = clauses.filter((clause) => !isMatched(clause))
  const unmatched = others.some(isWriting) ? unmatchedRows(matching) : undefined
  const writes = clauses.flatMap((clause): readonly Write[] => {
    const siblings = isMatched(clause) ? matched : others
    const before = siblings.slice(0, siblings.indexOf(clause) + 1)
    switch (clause.commandType) {
      case 'CMD_UPDATE':
        return [bindUpdateClause(clause, before, matching)]
      case 'CMD_DELETE':
        return [bindDeleteClause(clause, before, matching)]
      case 'CMD_INSERT':
        return unmatched === undefined
          ? []
          : [bindInsertClause(clause, before, unmatched, matching)]
      default:
        verifyClause(clause, before, matching)
        return []
    }
  })
  const order = ['delete', 'update', 'insert'] as const
  const ordered = order.flatMap((kind) => writes.filter((write) => write.kind === kind))
  return { unmatched, writes: ordered.map((write) => commonTable(write, matching.context)) }
}

function commonTable(query: SelectQuery | Write, { nextId }: StatementContext): CommonTable {
  return { id: nextId(), columns: [], query, isRecursive: false, materialized: undefined }
}

/** DO NOTHING writes nothing, but its condition must be valid. */
function verifyClause(
  clause: MergeWhenClause,
  before: readonly MergeWhenClause[],
  matching: Matching,
): void {
  const { sources } = readSource(matching.source, matching.context)
  if (!isMatched(clause)) {
    chosenClause(before, () => false, scopeOver(sources, matching), matching)
    return
  }
  const scope = scopeOver([readTarget(matching).entry, ...sources], matching)
  matchedWhere(before, () => false, scope, matching)
}
