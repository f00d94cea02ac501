/** @module Finds and replaces items of a FROM clause at any depth of its joins. */
import type { FromItem, JoinItem } from '../bind/tree/bound-query.ts'

/** The path from an item of the comma list down to one of its parts. */
export interface Place {
  readonly index: number
  /** From the outermost join to the innermost; empty for the item of the list itself. */
  readonly path: readonly Step[]
}

export interface Step {
  readonly join: JoinItem
  readonly side: 'left' | 'right'
}

/** The first item, from left to right, that is not a join and satisfies `isWanted`. */
export function findLeaf(
  items: readonly FromItem[],
  isWanted: (item: FromItem) => boolean,
): Place | undefined {
  for (const [index, item] of items.entries()) {
    const path = findIn(item, isWanted)
    if (path !== undefined) return { index, path }
  }
  return undefined
}

function findIn(item: FromItem, isWanted: (item: FromItem) => boolean): Step[] | undefined {
  if (item.kind !== 'join') return isWanted(item) ? [] : undefined
  for (const side of ['left', 'right'] as const) {
    const path = findIn(item[side], isWanted)
    if (path !== undefined) return [{ join: item, side }, ...path]
  }
  return undefined
}

export function itemAt(items: readonly FromItem[], place: Place): FromItem | undefined {
  const last = place.path.at(-1)
  return last === undefined ? items[place.index] : last.join[last.side]
}

/** The joins rebuilt around `replacement`; several items may replace an item of the comma list only. */
export function replaceAt(
  items: readonly FromItem[],
  { index, path }: Place,
  replacement: readonly FromItem[],
): readonly FromItem[] {
  const item = items[index]
  if (path.length === 0 || item === undefined) return items.toSpliced(index, 1, ...replacement)
  return items.toSpliced(index, 1, replaceIn(item, path, joinAll(replacement)))
}

/** `path` gives the sides; the joins are those of `item`. */
function replaceIn(item: FromItem, path: readonly Step[], replacement: FromItem): FromItem {
  const [step, ...others] = path
  if (step === undefined || item.kind !== 'join') return replacement
  return { ...item, [step.side]: replaceIn(item[step.side], others, replacement) }
}

/** Joins several items into one: their cross product. There is at least one. */
export function joinAll([first, ...others]: readonly FromItem[]): FromItem {
  if (first === undefined) throw new Error('nothing to join')
  return others.reduce(crossJoin, first)
}

/** `left` and everything of `right`, with left-deep joins where that means the same. */
export function crossJoin(left: FromItem, right: FromItem): FromItem {
  if (right.kind === 'join' && right.type !== 'right' && right.type !== 'full') {
    return { ...right, left: crossJoin(left, right.left) }
  }
  return { kind: 'join', type: 'cross', left, right, on: undefined }
}

/** The place of an item's innermost join. */
export function parentOf({ index, path }: Place): Place {
  return { index, path: path.slice(0, -1) }
}

/** Does an outer join null-extend this side? */
export function isNullable({ join, side }: Step): boolean {
  return (
    join.type === 'full' ||
    (join.type === 'left' && side === 'right') ||
    (join.type === 'right' && side === 'left')
  )
}

/** The same joins without RIGHT JOIN: `a right join b` is `b left join a`. */
export function withoutRightJoins(item: FromItem): FromItem {
  if (item.kind !== 'join') return item
  const [left, right] = [withoutRightJoins(item.left), withoutRightJoins(item.right)]
  return item.type === 'right'
    ? { ...item, type: 'left', left: right, right: left }
    : { ...item, left, right }
}

/** The first item whose row is present in every row of the whole; undefined where there is none. */
export function drivingLeaf(item: FromItem): Exclude<FromItem, JoinItem> | undefined {
  if (item.kind !== 'join') return item
  switch (item.type) {
    case 'full':
      return undefined
    case 'right':
      return drivingLeaf(item.right)
    default:
      return drivingLeaf(item.left)
  }
}
