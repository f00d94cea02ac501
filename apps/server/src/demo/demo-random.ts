/** A small pseudo-random generator: the demo has the same rows at every start. */
export interface DemoRandom {
  /** From `least` to `most`, both included. */
  integer(least: number, most: number): number
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** `count` different numbers from 1 to `most`. */
  distinct(count: number, most: number): readonly number[]
  /** `2023-04-05 06:07:08`, in the years given. */
  timestamp(firstYear: number, lastYear: number): string
}

/** A multiplicative congruential generator (modulus 2^31 - 1, multiplier 48271). */
export function createRandom(seed: number): DemoRandom {
  let state = seed % 2_147_483_647
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return (state - 1) / 2_147_483_646
  }
  const integer = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.min(integer(0, items.length - 1), items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    distinct: (count, most) => {
      const found = new Set<number>()
      while (found.size < Math.min(count, most)) found.add(Math.min(integer(1, most), most))
      return [...found]
    },
    timestamp: (firstYear, lastYear) => {
      const day = Date.UTC(integer(firstYear, lastYear), integer(0, 11), integer(1, 28))
      const timestamp = new Date(day + integer(0, 86_399) * 1_000)
      return timestamp.toISOString().slice(0, 19).replace('T', ' ')
    },
  }
}
