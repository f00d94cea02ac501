import type { ConflictIndex, RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { operatorCall } from '../../bind/tree/typed-call.ts'
import { oids } from '../../sql-types/oids.ts'
import { combine } from '../filter/filter-expression.ts'
import { type CellOf, type ProposalContext, type unknowable, withCells } from './proposed-row.ts'

/**
 * The condition that a stored row and a proposed one have the same key in an index. Its expressions are evaluated only where both
 * rows are in the index: elsewhere they may fail.
 *
 * @returns undefined, and reports it, where only the database knows.
 */
export function sameInIndex(
  { meaning }: ConflictIndex,
  stored: RelationId,
  proposedCell: (column: number) => Expression | typeof unknowable,
  context: ProposalContext,
): Expression | undefined {
  const same = meaning && sameParts(meaning, stored, proposedCell, context)
  if (same === undefined) context.missUnknowable()
  return same
}

function sameParts(
  { relation, expressions, condition }: NonNullable<ConflictIndex['meaning']>,
  stored: RelationId,
  proposedCell: (column: number) => Expression | typeof unknowable,
  context: ProposalContext,
): Expression | undefined {
  const onStored: CellOf = (cell) =>
    cell.relation === relation ? { ...cell, relation: stored } : undefined
  const onProposed: CellOf = (cell) =>
    cell.relation === relation ? proposedCell(cell.column) : undefined
  const equal = allKnown(
    expressions.map((expression) => {
      const left = withCells(expression, onStored, context)
      const right = withCells(expression, onProposed, context)
      if (left === undefined || right === undefined) return undefined
      const same = operatorCall(context.types, '=', left, right)
      return 'error' in same ? undefined : same
    }),
  )
  if (equal === undefined || condition === undefined) return equal
  const both = allKnown([
    withCells(condition, onStored, context),
    withCells(condition, onProposed, context),
  ])
  if (both === undefined) return undefined
  const type = { oid: oids.bool, typmod: -1 }
  const whens = [{ condition: both, result: equal }]
  return { kind: 'case', whens, otherwise: undefined, type }
}

function allKnown(conditions: readonly (Expression | undefined)[]): Expression | undefined {
  const known = conditions.filter((condition) => condition !== undefined)
  return known.length === conditions.length ? combine('and', known) : undefined
}
