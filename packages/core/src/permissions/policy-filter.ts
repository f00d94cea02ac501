/**
 * @module A filter after it was checked against the catalog, and Kleene's three-valued logic over it. Pure: the part of
 * the permission engine that decides what is TRUE.
 */
import type { RelationId } from '../bind/bound-query.ts'
import type { Expression } from '../bind/expression.ts'
import type { Table } from '../catalog/catalog.ts'
import { unreachable } from '../unreachable.ts'
import type { CallerSlot } from '../value-source.ts'

export type PolicyFilter =
  | { readonly kind: 'true' }
  | { readonly kind: 'false' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly PolicyFilter[] }
  | { readonly kind: 'not'; readonly operand: PolicyFilter }
  | PolicyLeaf
  | PolicyRelation

/** One condition. It is UNKNOWN when a caller field it needs is missing. */
export interface PolicyLeaf {
  readonly kind: 'leaf'
  readonly slots: readonly CallerSlot[]
  /** The condition on a row; `outer` is the row of the table around, inside `$exists`. */
  readonly build: (row: RelationId, outer: RelationId | undefined) => Expression
}

/** A condition on related rows, evaluated with the policy's rights (no permissions inside). */
export interface PolicyRelation {
  readonly kind: 'relation'
  readonly quantifier: 'some' | 'every' | 'none'
  /** The tables between here and there: one, or junction and far table. */
  readonly path: readonly RelationStep[]
  readonly filter: PolicyFilter
}

export interface RelationStep {
  readonly table: Table
  /** Joins the row before (or the row of the policy) with a row of `table`. */
  readonly join: (before: RelationId, row: RelationId) => readonly Expression[]
}

export const always: PolicyFilter = { kind: 'true' }
export const never: PolicyFilter = { kind: 'false' }
/** Neither TRUE nor FALSE, and neither is its negation: also what stands for a filter that is wrong. */
export const unknown: PolicyFilter = { kind: 'unknown' }

/** Kleene AND: FALSE wins over UNKNOWN wins over TRUE. */
export function allOf(operands: readonly PolicyFilter[]): PolicyFilter {
  const rest: PolicyFilter[] = []
  let sawUnknown = false
  for (const operand of operands.flatMap((o) => (o.kind === 'and' ? o.operands : [o]))) {
    if (operand.kind === 'false') return never
    if (operand.kind === 'unknown') sawUnknown = true
    else if (operand.kind !== 'true') rest.push(operand)
  }
  if (sawUnknown) rest.push(unknown)
  if (rest.length === 0) return always
  return rest.length === 1 && rest[0] !== undefined ? rest[0] : { kind: 'and', operands: rest }
}

/** Kleene OR: TRUE wins over UNKNOWN wins over FALSE. */
export function anyOf(operands: readonly PolicyFilter[]): PolicyFilter {
  const rest: PolicyFilter[] = []
  let sawUnknown = false
  for (const operand of operands.flatMap((o) => (o.kind === 'or' ? o.operands : [o]))) {
    if (operand.kind === 'true') return always
    if (operand.kind === 'unknown') sawUnknown = true
    else if (operand.kind !== 'false') rest.push(operand)
  }
  if (sawUnknown) rest.push(unknown)
  if (rest.length === 0) return never
  return rest.length === 1 && rest[0] !== undefined ? rest[0] : { kind: 'or', operands: rest }
}

export function negationOf(operand: PolicyFilter): PolicyFilter {
  switch (operand.kind) {
    case 'true':
      return never
    case 'false':
      return always
    case 'unknown':
      return unknown
    case 'not':
      return operand.operand
    default:
      return { kind: 'not', operand }
  }
}

/**
 * Replaces every condition on a missing caller field by UNKNOWN and simplifies. The result has no `slots` that are
 * not present; whether it can be TRUE for some row no longer depends on the caller's values being there.
 */
export function fold(filter: PolicyFilter, isPresent: (slot: CallerSlot) => boolean): PolicyFilter {
  switch (filter.kind) {
    case 'true':
    case 'false':
    case 'unknown':
      return filter
    case 'and':
      return allOf(filter.operands.map((operand) => fold(operand, isPresent)))
    case 'or':
      return anyOf(filter.operands.map((operand) => fold(operand, isPresent)))
    case 'not':
      return negationOf(fold(filter.operand, isPresent))
    case 'leaf':
      return filter.slots.every(isPresent) ? filter : unknown
    case 'relation':
      return foldRelation({ ...filter, filter: fold(filter.filter, isPresent) })
    default:
      return unreachable(filter)
  }
}

/**
 * A quantifier over related rows none of which can satisfy (or fail) the condition needs no look at the rows. Where it is
 * a missing caller field that keeps rows from it, the answer is UNKNOWN even if there should be no rows.
 */
function foldRelation(relation: PolicyRelation): PolicyFilter {
  const inner = relation.filter.kind
  if (inner === 'false' && relation.quantifier === 'some') return never
  if (inner === 'false' && relation.quantifier === 'none') return always
  if (inner === 'true' && relation.quantifier === 'every') return always
  const canBeTrue = inner === 'false' || whenTrue(relation.filter).kind !== 'false'
  return canBeTrue ? relation : unknown
}

/**
 * What is left when only TRUE counts, as for rows: a condition that is never TRUE becomes FALSE. Only for the
 * outermost level, never under a negation.
 */
export function whenTrue(filter: PolicyFilter): PolicyFilter {
  switch (filter.kind) {
    case 'unknown':
      return never
    case 'and': {
      const operands = filter.operands.map(whenTrue)
      return allOf(operands)
    }
    case 'or':
      return anyOf(filter.operands.map(whenTrue))
    default:
      return filter
  }
}

/** Every caller field that a filter reads. */
export function slotsOf(filter: PolicyFilter): readonly CallerSlot[] {
  switch (filter.kind) {
    case 'true':
    case 'false':
    case 'unknown':
      return []
    case 'and':
    case 'or':
      return filter.operands.flatMap(slotsOf)
    case 'not':
      return slotsOf(filter.operand)
    case 'leaf':
      return filter.slots
    case 'relation':
      return slotsOf(filter.filter)
    default:
      return unreachable(filter)
  }
}

/** Has the filter an UNKNOWN left somewhere inside? */
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
