/** @module Choices that depend only on a seed. */
import { createRandom as createGenerator, type Random as Generator } from '@engine/fixtures'

/** Random choices; the same seed gives the same ones. */
export interface Random extends Generator {
  /** One of the values, in proportion to its weight. */
  readonly weighted: <Item>(items: readonly (readonly [weight: number, item: Item])[]) => Item
  /** Some of the items, at least `least`, in their order. */
  readonly some: <Item>(items: readonly Item[], least?: number) => readonly Item[]
  readonly shuffled: <Item>(items: readonly Item[]) => readonly Item[]
}

/** @param seed a whole number; neighbouring seeds give unrelated choices. */
export function createRandom(seed: number): Random {
  const generator = createGenerator(scrambled(seed))
  const { integer } = generator
  const shuffled = <Item>(items: readonly Item[]): readonly Item[] => {
    const mixed = [...items]
    for (let i = mixed.length - 1; i > 0; i -= 1) {
      const j = integer(0, i)
      const [one, other] = [mixed[i] as Item, mixed[j] as Item]
      mixed[i] = other
      mixed[j] = one
    }
    return mixed
  }
  return {
    ...generator,
    shuffled,
    weighted: (items) => {
      const whole = items.reduce((sum, [weight]) => sum + weight, 0)
      let left = integer(1, whole)
      for (const [weight, item] of items) {
        left -= weight
        if (left <= 0) return item
      }
      throw new RangeError('nothing to choose from')
    },
    some: (items, least = 0) => {
      const count = integer(Math.min(least, items.length), items.length)
      const chosen = new Set(shuffled(items.map((_, i) => i)).slice(0, count))
      return items.filter((_, i) => chosen.has(i))
    },
  }
}

/** Well mixed bits that are never all zero. */
function scrambled(seed: number): number {
  let mixed = Math.imul((seed + 0x9e3779b9) | 0, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  mixed ^= mixed >>> 16
  return mixed === 0 ? 1 : mixed
}
