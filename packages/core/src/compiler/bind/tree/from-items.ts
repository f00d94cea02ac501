/** @module FROM without its joins. */
import type { FromItem, RelationId } from './bound-query.ts'

/** The items that are not joins, from left to right. */
export function leavesOf(item: FromItem): readonly Exclude<FromItem, { kind: 'join' }>[] {
  return item.kind === 'join' ? [...leavesOf(item.left), ...leavesOf(item.right)] : [item]
}

/** The identities that a FROM clause defines. */
export function relationsIn(items: readonly FromItem[]): ReadonlySet<RelationId> {
  return new Set(items.flatMap(leavesOf).map(({ id }) => id))
}
