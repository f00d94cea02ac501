/** @module Tries whose outcome is not known yet, on this node. */

export interface PendingTries {
  count(key: string): number
  begin(key: string): void
  end(key: string): void
  /** Resolves when one more has ended. @returns undefined when too many wait for that already. */
  nextEnd(key: string): Promise<void> | undefined
}

interface Pending {
  count: number
  waiting: (() => void)[]
}

/** Entries live as long as tries: as many at most as requests. */
export function createPendingTries(maxWaiting = 64): PendingTries {
  const byKey = new Map<string, Pending>()
  const entry = (key: string): Pending => {
    const known = byKey.get(key) ?? { count: 0, waiting: [] }
    byKey.set(key, known)
    return known
  }
  return {
    count: (key) => byKey.get(key)?.count ?? 0,
    begin: (key) => {
      entry(key).count++
    },
    end: (key) => {
      const pending = entry(key)
      const { waiting } = pending
      pending.count--
      pending.waiting = []
      if (pending.count <= 0) byKey.delete(key)
      for (const wake of waiting) wake()
    },
    nextEnd: (key) => {
      const pending = byKey.get(key)
      if (pending === undefined) return Promise.resolve()
      if (pending.waiting.length >= maxWaiting) return undefined
      return new Promise((resolve) => pending.waiting.push(resolve))
    },
  }
}
