/**
 * @module A cache of passwords that were recently right: when a client opens ten connections, its password is hashed,
 * and counted, once.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The account whose password was right, and the account's state at that time. */
export interface RecentLogin {
  readonly accountId: string
  readonly epoch: number
}

/** Stored only in this process, as a keyed hash with a key of the process; never the password. */
export interface RecentLogins {
  /**
   * @returns undefined when the two were not right together recently; says nothing about whether they are right now.
   */
  find(email: string, password: string): RecentLogin | undefined
  remember(email: string, password: string, login: RecentLogin): void
}

const most = 1_000

/** Milliseconds since the password was compared with its hash. */
const keptForMs = 5 * 60_000

/** @param clock milliseconds since 1970. */
export function createRecentLogins(clock: () => number): RecentLogins {
  const secret = randomBytes(32)
  const logins = new LRUCache<string, RecentLogin & { readonly untilMs: number }>({ max: most })
  const keyOf = (email: string, password: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([email, password]))
      .digest('base64')
  return {
    find: (email, password) => {
      const found = logins.get(keyOf(email, password))
      return found !== undefined && clock() < found.untilMs ? found : undefined
    },
    remember: (email, password, { accountId, epoch }) => {
      logins.set(keyOf(email, password), { accountId, epoch, untilMs: clock() + keptForMs })
    },
  }
}
