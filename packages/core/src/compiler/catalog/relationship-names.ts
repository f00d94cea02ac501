/** @module What relations are called, best name first; the first that is free is taken. */
import type { Relationship } from './catalog.ts'

/** Gives a table a relation under the first of these names that it has none by. */
export type AddRelationship = (
  table: string,
  names: readonly string[],
  relation: Omit<Relationship, 'name'>,
) => void

type Names = readonly [string, ...string[]]

/** Towards the table that a key refers to: `customer_id` is `customer`. */
export function namesTowards(columns: readonly string[], referenced: string): Names {
  const [only, ...others] = columns
  const stem = others.length === 0 && only?.endsWith('_id') === true ? only.slice(0, -3) : ''
  const names: Names = [referenced, `${referenced}_by_${columns.join('_')}`]
  return stem === '' ? names : [stem, ...names]
}

/** From there back to the table that has the key. */
export function namesFrom(columns: readonly string[], referencing: string): Names {
  return [referencing, `${referencing}_by_${columns.join('_')}`]
}

/** To the far side of a junction. The last name is for a table that is joined with itself, whose sides are two relations. */
export function namesThrough(
  far: string,
  junction: { readonly table: string; readonly to: readonly string[] },
): Names {
  const via = `${far}_via_${junction.table}`
  return [far, via, `${via}_by_${junction.to.join('_')}`]
}
