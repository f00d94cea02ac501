/** @module Converts nested lists to dimensions and a flat list: arrays are rectangular. */

/** An array before its elements are read. */
export interface ArrayShape {
  /** Lengths from the outermost dimension inwards; empty for the empty array. */
  readonly dimensions: readonly number[]
  /** Row-major. */
  readonly elements: readonly unknown[]
}

/** As in PostgreSQL (`MAXDIM`). */
export const maxDimensions = 6

/**
 * Undefined when the lists are ragged, empty inside, or nested more than six deep. An array of json is never nested: its elements
 * may be lists themselves.
 */
export function shapeOf(items: readonly unknown[], mayNest = true): ArrayShape | undefined {
  if (items.length === 0) return { dimensions: [], elements: [] }
  if (!mayNest) return { dimensions: [items.length], elements: items }
  const dimensions: number[] = [items.length]
  let elements = items
  while (elements.some(Array.isArray)) {
    const lists = elements.filter((item): item is readonly unknown[] => Array.isArray(item))
    const length = lists[0]?.length ?? 0
    const isRectangular =
      lists.length === elements.length && lists.every((list) => list.length === length)
    if (!isRectangular || length === 0 || dimensions.length === maxDimensions) return undefined
    dimensions.push(length)
    elements = lists.flat()
  }
  return { dimensions, elements }
}
