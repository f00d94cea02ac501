import { LRUCache } from 'lru-cache'
import type { LiveSession, SessionStore } from '../sessions/session-store.ts'

/** Sessions in their state in the service database. */
export interface Sessions {
  find(sid: string): Promise<LiveSession | undefined>
  /** This session, or all sessions, have changed on this node. */
  forget(sid?: string): void
}

/** Maximum number of cached sessions. */
const remembered = 10_000

/**
 * Caches sessions for `session.cacheTtl`: until then, a session that another node ended continues here. With 0, the
 * default, every request reads it.
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
  /** Increases with every `forget`: a read that began before it is not cached after it. */
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
