import type { InferClause, OnConflictClause } from '@pgsql/types'
import type { Column, Table } from '../../catalog/catalog.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { bindBoolean } from '../expressions/bind-expression.ts'
import { columnNames } from '../scope/column-names.ts'
import { createScope } from '../scope/create-scope.ts'
import { clauseEnvironment } from '../scope/environment.ts'
import type { RangeTableEntry } from '../scope/range-table-entry.ts'
import type { Scope } from '../scope/scope.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import type { OnConflict } from '../tree/bound-query.ts'
import { bindAssignments } from './assignments.ts'

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
  const target = clause.infer && keyOf(clause.infer, table, existing, outer, context)
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
    false,
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
    (column) => readable.has(column.name) || proposed.includes(column),
  )
  return {
    ...existing,
    name: 'excluded',
    qualifiers: undefined,
    relation: excluded,
    columns: known.map(({ name, ordinal, type }) => ({
      name,
      expression: { kind: 'column', relation: excluded, column: ordinal, type },
    })),
  }
}

/** The columns of the key that a clause refers to. */
function keyOf(
  infer: InferClause,
  table: Table,
  existing: RangeTableEntry,
  outer: Scope,
  context: StatementContext,
): readonly number[] {
  if (infer.conname !== undefined) return constraintColumns(infer.conname, infer, table, context)
  const columns = keyColumns(infer, table, context)
  if (infer.whereClause !== undefined) {
    // The condition only chooses among partial keys: a key over all rows matches whatever it says.
    const scope = createScope({ outer, view: context.view, sources: [existing] })
    bindBoolean(infer.whereClause, clauseEnvironment(context, scope, 'ON CONFLICT'))
  }
  return columns
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

/**
 * The columns that must be unique; reading them requires permission.
 *
 * @throws {GatewayError} `badRequest` (42P10) when they are not a key of the table.
 */
function keyColumns(
  infer: InferClause,
  table: Table,
  context: StatementContext,
): readonly number[] {
  const readable = context.view.readable(table)
  const ordinals = (infer.indexElems ?? []).map((node) => {
    if (!('IndexElem' in node)) throw unsupported('this target of ON CONFLICT', infer.location)
    const { name = '' } = node.IndexElem
    const column = table.columns.find((candidate) => candidate.name === name)
    if (column === undefined || (readable !== 'all' && !readable.has(column.ordinal))) {
      const known = columnNames(table, readable)
      throw context.view.unknownColumn({ name, table, position: infer.location, known })
    }
    return column.ordinal
  })
  const wanted = new Set(ordinals)
  const isKey = [table.primaryKey, ...table.uniqueKeys].some(
    (key) => key.length === wanted.size && key.every((ordinal) => wanted.has(ordinal)),
  )
  if (isKey) return [...wanted]
  throw bindError(
    'there is no unique or exclusion constraint matching the ON CONFLICT specification',
    { sqlState: '42P10', position: infer.location },
  )
}
