import type { GatewayError } from '../../../foundation/errors.ts'
import type { Write } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { visitExpression } from '../../bind/tree/visit-query.ts'
import type { Table } from '../../catalog/catalog.ts'
import { unsupported } from '../../sql/bind-error.ts'
import type { Access } from '../access/access.ts'
import { readRules } from './read-rules.ts'

/**
 * Refuses writes of a view whose permissions could not be enforced. A database writes the rows of a view on the table that it
 * shows; RETURNING then has the stored cells, except for expressions: they may read the table as it was before the write. An
 * INSTEAD OF trigger returns a row of its own making, and nothing locks the rows that it changes.
 *
 * @throws {GatewayError} `unsupported`
 */
export function requireEnforceable(write: Write, access: Access): void {
  const { target, security, returning } = write
  const { table, newRow } = target
  const { viewWrites } = table
  requireUnrestricted(write)
  requireKnownProposal(write)
  if (viewWrites === undefined || security === undefined || write.kind === 'delete') return
  if (returning !== undefined && readRules(access, table).cells.size > 0) {
    throw refusal('RETURNING from a view with cells that are hidden in some rows', table)
  }
  const conditions = [security.check, security.visible].filter((each) => each !== undefined)
  const used = conditions.flatMap((condition) => columnsOn(condition, newRow))
  if (used.every((column) => viewWrites.columns.has(column))) return
  throw refusal('a condition on the written row that uses an expression of the view', table)
}

/**
 * A check on the proposed row has the values that the client sends: nothing is known of an expression of the view over them.
 *
 * @throws {GatewayError} `unsupported` for DO UPDATE with `excluded.<expression of the view>`, under conditions.
 */
function requireKnownProposal(write: Write): void {
  const { target, security } = write
  const { viewWrites } = target.table
  if (write.kind !== 'insert' || viewWrites === undefined || security === undefined) return
  const action = write.onConflict?.action
  const { existing, check, proposed } = security
  const isChecked = [existing, check, proposed].some((each) => each !== undefined)
  if (action?.kind !== 'update' || !isChecked) return
  const values = action.assignments.flatMap(({ value }) => (value.kind === 'default' ? [] : value))
  const all = action.where === undefined ? values : [...values, action.where]
  const used = all.flatMap((each) => columnsOn(each, action.excluded))
  if (used.every((column) => viewWrites.columns.has(column))) return
  throw refusal('an expression of the view in excluded, under conditions on rows', target.table)
}

/** @throws {GatewayError} `unsupported` for conditions on rows that a trigger writes. */
function requireUnrestricted({ kind, target: { table }, security }: Write): void {
  if (table.viewWrites?.[kind] !== 'trigger' || security === undefined) return
  const { rows, check, visible } = security
  const isRestricted = rows !== undefined && (rows.filter !== undefined || rows.masks.size > 0)
  if (!isRestricted && check === undefined && visible === undefined) return
  throw refusal('a condition on rows that the trigger of a view writes', table)
}

function refusal(construct: string, { connection, name }: Table): GatewayError {
  return unsupported(`${construct} ("${connection}"."${name}")`, undefined)
}

/** Ordinals of the columns of a relation that a condition uses; -1 for its whole row. */
function columnsOn(condition: Expression, relation: number): readonly number[] {
  const columns: number[] = []
  visitExpression(condition, {
    expression: (part) => {
      if (part.kind === 'column' && part.relation === relation) columns.push(part.column)
      if (part.kind === 'wholeRow' && part.relation === relation) columns.push(-1)
    },
  })
  return columns
}
