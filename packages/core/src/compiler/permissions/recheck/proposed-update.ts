import { GatewayError } from '../../../foundation/errors.ts'
import type { SelectQuery, UpdateWrite } from '../../bind/tree/bound-query.ts'
import type { ColumnReference, Expression } from '../../bind/tree/expression.ts'
import { copyOfExpression } from '../../bind/tree/fresh-copy.ts'
import { mapExpression } from '../../bind/tree/map-query.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { knownDefault } from './known-default.ts'
import {
  type CellOf,
  conditionOn,
  failingRows,
  isComputed,
  type ProposalContext,
  unknowable,
} from './proposed-row.ts'

/** The rows of an UPDATE whose new cells fail its check, as the only item; none without a check. */
export function proposedUpdate(
  write: UpdateWrite,
  context: ProposalContext,
): readonly SelectQuery[] {
  const { target, security, assignments, from, where } = write
  const rows = security?.rows
  if (security?.check === undefined || rows === undefined) return []
  const { columns } = target.table
  const assigned = new Map(assignments.map(({ column, value }) => [column, value]))
  const inParts = new Set(
    assignments.flatMap(({ column, part }) => (part === undefined ? [] : [column])),
  )
  const raw = (cell: ColumnReference): Expression => ({ ...cell, relation: rows.base })
  const seen = (cell: ColumnReference): Expression => {
    const condition = rows.masks.get(cell.column)
    if (condition === undefined) return raw(cell)
    const whens = [{ condition, result: raw(cell) }]
    return { kind: 'case', whens, otherwise: undefined, type: cell.type }
  }
  /** The client's expressions with the cells of the row before the update. */
  const withOldCells = (expression: Expression): Expression =>
    mapExpression(expression, {
      before: (part) =>
        part.kind === 'column' && part.relation === target.oldRow
          ? copyOfExpression(seen(part), context)
          : undefined,
      expression: (part) =>
        part.kind === 'wholeRow' && part.relation === target.oldRow
          ? { ...part, relation: rows.base }
          : part,
    })
  const newCell: CellOf = (cell) => {
    if (cell.relation !== target.newRow) return undefined
    const column = columns[cell.column]
    if (column === undefined || isComputed(target.table, cell.column)) return unknowable
    if (inParts.has(cell.column)) return unknowable
    const value = assigned.get(cell.column)
    if (value === undefined) return raw(cell)
    if (value.kind === 'default') return knownDefault(column, context.types) ?? unknowable
    return withOldCells(value)
  }
  const check = conditionOn(security.check, newCell, context, (index) => {
    const condition = security.oldConditions[index]
    if (condition === undefined) throw new GatewayError('internal', `no old condition ${index}`)
    return condition
  })
  const asked = where && withOldCells(where)
  return [failingRows([rawRows(rows, context), ...from], asked, check)]
}

/**
 * The rows that may be touched, with all their raw cells, readable or not: policies read the raw cells, clients' expressions only
 * the masks around them. It takes the place of the raw row, inside a barrier.
 */
function rawRows(rows: SecuredTable, { nextId }: ProposalContext): SecuredTable {
  const base = nextId()
  const onBase = (expression: Expression) =>
    mapExpression(expression, {
      expression: (part) =>
        part.kind === 'column' && part.relation === rows.base ? { ...part, relation: base } : part,
    })
  return {
    ...rows,
    id: rows.base,
    base,
    filter: rows.filter && onBase(rows.filter),
    masks: new Map(),
    readable: new Set(rows.table.columns.map(({ ordinal }) => ordinal)),
    pushed: rows.pushed.map(onBase),
    barrier: rows.filter !== undefined,
  }
}
