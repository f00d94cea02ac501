/** @module Candidate names of relations, best first; the first free name is taken. */
import type { Relationship } from './catalog.ts'

/** Adds a relation to a table under the first of these names that is free. */
export type AddRelationship = (
  table: string,
  names: readonly string[],
  relation: Omit<Relationship, 'name'>,
) => void

type Names = readonly [string, ...string[]]

/** Names towards the table that a key refers to: `customer_id` is `customer`. */
export function namesTowards(columns: readonly string[], referenced: string): Names {
  const [only, ...others] = columns
  const stem = others.length === 0 && only?.endsWith('_id') === true ? only.slice(0, -3) : ''
  const names: Names = [referenced, `${referenced}_by_${columns.join('_')}`]
  return stem === '' ? names : [stem, ...names]
}

/** Names from there back to the table that has the key. */
export function namesFrom(columns: readonly string[], referencing: string): Names {
  return [referencing, `${referencing}_by_${columns.join('_')}`]
}

/** Names of the far side of a junction. The last name is for a table joined with itself, whose two sides are two relations. */
export function namesThrough(
  far: string,
  junction: { readonly table: string; readonly to: readonly string[] },
): Names {
  const via = `${far}_via_${junction.table}`
  return [far, via, `${via}_by_${junction.to.join('_')}`]
}
