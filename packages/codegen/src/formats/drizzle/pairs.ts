/** @module Relations in pairs, of which one side has the key: Drizzle 0.45 infers one from the other. */
import type { NamedColumn } from './named-tables.ts'
import { isReverse, reverseOf, type Side } from './side.ts'

export interface Pair {
  /** The side that has the key. */
  readonly owner: Side
  /** undefined where the opposite direction is not requested. */
  readonly other: Side | undefined
}

/** Every relation except those through a junction, each in one pair. */
export function pairsOf(sides: readonly Side[]): readonly Pair[] {
  const many = sides.filter(({ type }) => type === 'one-to-many')
  const one = sides.filter(({ type }) => type === 'one-to-one')
  const [manyByWay, oneByWay] = [many, one].map((candidates) => Map.groupBy(candidates, wayOf))
  const taken = new Set<Side>()
  const partner = (candidates: ReadonlyMap<string, Side[]> | undefined, side: Side) => {
    const found = candidates
      ?.get(wayOf({ source: side.target, target: side.source }))
      ?.find((other) => !taken.has(other) && isReverse(side, other))
    if (found !== undefined) taken.add(found)
    return found
  }
  const owners = sides
    .filter(({ type }) => type === 'many-to-one')
    .map((owner): Pair => ({ owner, other: partner(manyByWay, owner) }))
  const single = one.flatMap((side): Pair[] => {
    if (taken.has(side)) return []
    taken.add(side)
    const other = partner(oneByWay, side)
    const isOwner = holdsKey(side) ?? (other === undefined || side.source.path > other.source.path)
    if (isOwner) return [{ owner: side, other }]
    return [{ owner: other ?? reverseOf(side, 'one-to-one'), other: side }]
  })
  const alone = many
    .filter((side) => !taken.has(side))
    .map((side): Pair => ({ owner: reverseOf(side, 'many-to-one'), other: side }))
  return [...owners, ...single, ...alone]
}

/** From which table to which. */
function wayOf({ source, target }: Pick<Side, 'source' | 'target'>): string {
  return `${source.path}\0${target.path}`
}

/**
 * Returns whether this side of a one-to-one relation has the referenced key. Keys refer to primary keys; where both are
 * primary keys, the one that the database generates is referenced.
 *
 * @returns undefined where it is not known.
 */
function holdsKey({ from, to }: Side): boolean | undefined {
  const [own, far] = [isKey(from), isKey(to)]
  if (own !== far) return far
  return isMade(from) === isMade(to) ? undefined : isMade(to)
}

function isKey(columns: readonly NamedColumn[]): boolean {
  return columns.every(({ primaryKey }) => primaryKey)
}

function isMade(columns: readonly NamedColumn[]): boolean {
  return columns.some(({ hasDefault }) => hasDefault)
}
