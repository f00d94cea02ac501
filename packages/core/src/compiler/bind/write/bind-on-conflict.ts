import type { InferClause, OnConflictClause } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import type { Column, Table } from '../../catalog/catalog.ts'
import { bindError } from '../../sql/bind-error.ts'
import { bindBoolean } from '../expressions/bind-expression.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { ConflictTarget, OnConflict } from '../tree/bound-query.ts'
import { bindAssignments } from './assignments.ts'
import { bindConflictTarget } from './conflict-target.ts'
import { requireNoRule } from './ruled-table.ts'
import { requireConflictOnView } from './view-target.ts'

/**
 * @param proposed the columns that get values from the client.
 * @param existing the range-table entry of the existing row.
 */
export function bindOnConflict(
  clause: OnConflictClause | undefined,
  table: Table,
  proposed: readonly Column[],
  existing: RangeTableEntry,
  outer: Scope,
  context: StatementContext,
): OnConflict | undefined {
  if (clause === undefined) return undefined
  requireConflictOnView(table, clause)
  requireNoRule(table, ['insert', 'update'], clause.location)
  const target = clause.infer && targetOf(clause.infer, table, existing, outer, context)
  if (clause.action !== 'ONCONFLICT_UPDATE') return { target, action: { kind: 'nothing' } }
  if (target === undefined) {
    throw bindError('ON CONFLICT DO UPDATE requires the columns of a key', {
      sqlState: '42601',
      position: clause.location,
    })
  }
  const excluded = context.nextId()
  const sources = [existing, excludedSource(existing, table, proposed, excluded)]
  const relations = new Set([excluded, ...(existing.relation ? [existing.relation] : [])])
  const scope = createScope({ outer, view: context.view, sources, relations })
  const assignments = bindAssignments(
    clause.targetList,
    table,
    clauseEnvironment(context, scope, 'UPDATE'),
    context,
  )
  const where =
    clause.whereClause &&
    bindBoolean(clause.whereClause, clauseEnvironment(context, scope, 'WHERE'))
  return { target, action: { kind: 'update', excluded, assignments, where } }
}

/** The proposed row has the columns of the existing one, with the values that the client sent. */
function excludedSource(
  existing: RangeTableEntry,
  table: Table,
  proposed: readonly Column[],
  excluded: number,
): RangeTableEntry {
  const readable = new Set(existing.columns.map(({ name }) => name))
  const known = table.columns.filter(
    (column) =>
      readable.has(column.name) || proposed.some(({ ordinal }) => ordinal === column.ordinal),
  )
  return {
    ...existing,
    name: 'excluded',
    tableOid: undefined,
    qualifiers: undefined,
    relation: excluded,
    columns: known.map(({ name, ordinal, type }) => ({
      name,
      expression: { kind: 'column', relation: excluded, column: ordinal, type },
    })),
  }
}

/** The key or the index that a clause refers to. */
function targetOf(
  infer: InferClause,
  table: Table,
  existing: RangeTableEntry,
  outer: Scope,
  context: StatementContext,
): ConflictTarget {
  if (infer.conname !== undefined) {
    return { columns: constraintColumns(infer.conname, infer, table, context), index: undefined }
  }
  const { relation } = existing
  if (relation === undefined) throw new GatewayError('internal', 'a written row without identity')
  const scope = createScope({ outer, view: context.view, sources: [existing] })
  return bindConflictTarget(infer, table, { relation, scope }, context)
}

/**
 * @throws {GatewayError} `badRequest` (42704) for a constraint that does not exist or has columns that are hidden from the
 *   caller.
 */
function constraintColumns(
  name: string,
  { location: position }: InferClause,
  table: Table,
  { view }: StatementContext,
): readonly number[] {
  const columns = table.keyConstraints?.get(name)
  const readable = view.readable(table)
  const isVisible = (ordinal: number): boolean => readable === 'all' || readable.has(ordinal)
  if (columns?.every(isVisible)) return columns
  const message = `constraint "${name}" for table "${table.name}" does not exist`
  throw bindError(message, { sqlState: '42704', position })
}
