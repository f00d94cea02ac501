/** @module A filter that has been checked against the catalog, and its simplified form for a caller who lacks fields. */
import type { RelationId } from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { CallerSlot } from '../../sql-types/value-source.ts'
import {
  atomsOf,
  type Formula,
  type Quantifier,
  substitute,
  unknown,
  withoutRows,
} from '../combination/kleene.ts'

export type PolicyFilter = Formula<PolicyLeaf | PolicyRelation>

/** One condition. It is UNKNOWN when a caller field it needs is missing. */
export interface PolicyLeaf {
  readonly kind: 'leaf'
  readonly slots: readonly CallerSlot[]
  /** The condition on a row; inside `$exists`, `outer` is the outer row. */
  readonly build: (row: RelationId, outer: RelationId | undefined) => Expression
}

/** A condition on related rows, evaluated with the policy's rights (no permissions inside). */
export interface PolicyRelation {
  readonly kind: 'relation'
  readonly quantifier: Quantifier
  /** The tables on the way to the related one: that one alone, or junction and far table. */
  readonly path: readonly RelationStep[]
  readonly filter: PolicyFilter
}

export interface RelationStep {
  readonly table: Table
  /** Joins the row before (or the row of the policy) with a row of `table`. */
  readonly join: (before: RelationId, row: RelationId) => readonly Expression[]
}

/**
 * Replaces every condition on a missing caller field by UNKNOWN and simplifies. The result has only `slots` that are present;
 * whether it can be TRUE for some row no longer depends on missing caller fields.
 */
export function fold(filter: PolicyFilter, isPresent: (slot: CallerSlot) => boolean): PolicyFilter {
  return substitute(filter, (atom): PolicyFilter => {
    if (atom.kind === 'leaf') return atom.slots.every(isPresent) ? atom : unknown
    const inner = fold(atom.filter, isPresent)
    return withoutRows(atom.quantifier, inner) ?? { ...atom, filter: inner }
  })
}

/** Every caller field that a filter reads. */
export function slotsOf(filter: PolicyFilter): readonly CallerSlot[] {
  return atomsOf(filter).flatMap((atom) =>
    atom.kind === 'leaf' ? atom.slots : slotsOf(atom.filter),
  )
}

/** Does the filter contain an UNKNOWN? */
export function hasUnknown(filter: PolicyFilter): boolean {
  switch (filter.kind) {
    case 'unknown':
      return true
    case 'and':
    case 'or':
      return filter.operands.some(hasUnknown)
    case 'not':
      return hasUnknown(filter.operand)
    case 'relation':
      return hasUnknown(filter.filter)
    default:
      return false
  }
}
