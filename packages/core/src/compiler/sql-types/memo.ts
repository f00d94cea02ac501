/** @module Remembers answers, a bounded number of them. */

export type Memo<V> = (key: string, make: () => V) => V

/** Forgets everything when it is full: clients choose the keys, and good ones come back at once. */
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
