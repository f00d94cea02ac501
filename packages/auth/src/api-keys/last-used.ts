import type { Log } from '@engine/core'
import { LRUCache } from 'lru-cache'
import type { ApiKeyStore } from './api-key-store.ts'

/** Records when keys were used; writes in the background, so that answers do not wait. */
export interface LastUsedTimes {
  record(id: string): void
  /** Resolves when every recorded time is written, or its write has failed. */
  flush(): Promise<void>
}

/** Minimum milliseconds between two writes of the last use of one key. */
const pauseMs = 60_000

export function createLastUsedTimes(
  keys: Pick<ApiKeyStore, 'used'>,
  { log, clock }: { readonly log: Log; readonly clock: () => number },
): LastUsedTimes {
  const recorded = new LRUCache<string, number>({ max: 10_000 })
  const pending = new Set<Promise<void>>()
  return {
    record: (id) => {
      const nowMs = clock()
      if (nowMs - (recorded.get(id) ?? Number.NEGATIVE_INFINITY) < pauseMs) return
      recorded.set(id, nowMs)
      const writing = keys
        .used(id, nowMs)
        .catch((error: unknown) => {
          log.warn({ err: error, apiKey: id }, 'the last use of an API key could not be noted')
        })
        .finally(() => pending.delete(writing))
      pending.add(writing)
    },
    flush: async () => {
      await Promise.all(pending)
    },
  }
}
