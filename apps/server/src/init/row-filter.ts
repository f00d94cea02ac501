/** @module Conditions of the written permissions, and how they are combined. */
import { isDeepStrictEqual } from 'node:util'

/** The part of a permission's filter that is about the caller. */
export type RowFilter = Readonly<Record<string, unknown>>

/** Both conditions. Conditions on the same related row are one; those that cannot be one stand in `$and`. */
export function bothFilters(a: RowFilter | undefined, b: RowFilter | undefined): RowFilter {
  const merged: Record<string, unknown> = { ...a }
  const apart: RowFilter[] = []
  for (const [name, value] of Object.entries(b ?? {})) {
    const known = merged[name]
    if (known === undefined || isDeepStrictEqual(known, value)) merged[name] = value
    else if (isRelated(name, known) && isRelated(name, value)) {
      merged[name] = bothFilters(known, value)
    } else apart.push({ [name]: value })
  }
  if (apart.length === 0) return merged
  return { $and: [merged, ...apart] }
}

export function allFilters(filters: readonly (RowFilter | undefined)[]): RowFilter {
  return filters.reduce<RowFilter>(bothFilters, {})
}

/** A condition on one related row: `{ project: { owner_id: '$user.id' } }`. */
function isRelated(name: string, value: unknown): value is RowFilter {
  return (
    !name.startsWith('$') &&
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every((key) => !key.startsWith('$') || key === '$exists')
  )
}
