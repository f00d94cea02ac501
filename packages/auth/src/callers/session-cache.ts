import { LRUCache } from 'lru-cache'
import type { LiveSession, SessionStore } from '../sessions/session-store.ts'

/** Sessions as they are in the service database. */
export interface Sessions {
  find(sid: string): Promise<LiveSession | undefined>
  /** Something about this session, or about all, has changed on this node. */
  forget(sid?: string): void
}

/** Sessions remembered at most. */
const remembered = 10_000

/**
 * Remembers sessions for `session.cacheTtl`: until then, what another node ends goes on here. With 0, the default, every
 * request looks.
 */
export function createSessions(
  store: Pick<SessionStore, 'find'>,
  ttlMs: number,
  clock: () => number,
): Sessions {
  if (ttlMs === 0) return { find: (sid) => store.find(sid), forget: () => undefined }
  const known = new LRUCache<string, { readonly session: LiveSession; readonly untilMs: number }>({
    max: remembered,
  })
  /** Grows with every `forget`: what was read before it is not remembered after it. */
  let age = 0
  return {
    find: async (sid) => {
      const found = known.get(sid)
      if (found !== undefined && clock() < found.untilMs) return found.session
      const began = age
      const session = await store.find(sid)
      if (session === undefined) known.delete(sid)
      else if (age === began) {
        known.set(sid, { session, untilMs: Math.min(clock() + ttlMs, session.expiresAtMs) })
      }
      return session
    },
    forget: (sid) => {
      age += 1
      if (sid === undefined) known.clear()
      else known.delete(sid)
    },
  }
}
