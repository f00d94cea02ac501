/** @module Attempts of this node whose outcome is not known yet. */

export interface PendingTries {
  count(key: string): number
  begin(key: string): void
  end(key: string): void
  /**
   * @returns a function that ends the watch, once; true when an attempt has ended meanwhile, so that the state that was
   * read may be old.
   */
  watch(key: string): () => boolean
  /** Resolves when one more has ended. @returns undefined when too many already wait for that. */
  nextEnd(key: string): Promise<void> | undefined
}

interface Pending {
  count: number
  watching: number
  endings: number
  waiting: (() => void)[]
}

/** Entries exist as long as attempts: at most as many as requests. */
export function createPendingTries(maxWaiting = 64): PendingTries {
  const byKey = new Map<string, Pending>()
  const entry = (key: string): Pending => {
    const known = byKey.get(key)
    if (known !== undefined) return known
    const fresh = { count: 0, watching: 0, endings: 0, waiting: [] }
    byKey.set(key, fresh)
    return fresh
  }
  const drop = (key: string, { count, watching }: Pending): void => {
    if (count <= 0 && watching <= 0) byKey.delete(key)
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
      pending.endings++
      pending.waiting = []
      drop(key, pending)
      for (const wake of waiting) wake()
    },
    watch: (key) => {
      const pending = entry(key)
      const { endings } = pending
      pending.watching++
      return () => {
        pending.watching--
        drop(key, pending)
        return pending.endings !== endings
      }
    },
    nextEnd: (key) => {
      const pending = byKey.get(key)
      if (pending === undefined || pending.count <= 0) return Promise.resolve()
      if (pending.waiting.length >= maxWaiting) return undefined
      return new Promise((resolve) => pending.waiting.push(resolve))
    },
  }
}
