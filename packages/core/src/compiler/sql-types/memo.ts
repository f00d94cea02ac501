/** @module Caches a bounded number of results. */

export type Memo<V> = (key: string, make: () => V) => V

/** Clears itself when it is full: clients choose the keys, and frequent ones are cached again at once. */
export function createMemo<V>(limit: number): Memo<V> {
  const answers = new Map<string, V>()
  return (key, make) => {
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = make()
    if (answers.size >= limit) answers.clear()
    answers.set(key, answer)
    return answer
  }
}
