/** @module Remembers what credentials resolved to, for as long as nothing has changed that could alter it. */
import type { Engine } from '@engine/core'
import type { Authenticated, ClientInfo, Expected } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { LRUCache } from 'lru-cache'
import { createDigests } from './digests.ts'

/** The owner of a credential. */
export interface Resolved {
  /** Milliseconds since 1970 at which it must be resolved again, whatever the change counter says. */
  readonly untilMs: number
  /** The caller; a function where it must be looked up for each request: rows of the user table, `resolveSession`. */
  readonly caller: Authenticated | ((engine: Engine | undefined) => Promise<Authenticated>)
  /** Called whenever the credential is used. */
  readonly onUse?: (() => void) | undefined
}

export interface KnownCallersOptions {
  readonly store: Pick<Store, 'changeCount'>
  /** Distinguishes credentials, and clients where the state of a credential depends on them. */
  readonly nameOf: (credential: string, client: ClientInfo) => string
  /** Reads the state of a credential. Throws when it is not valid. */
  readonly resolve: (credential: string, client: ClientInfo) => Promise<Resolved>
  /** The change counter may be read so many milliseconds before the request. */
  readonly maxAgeMs: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

interface Known extends Resolved {
  /** The change counter from before it was resolved. */
  readonly count: number
}

/** Maximum number of remembered credentials. */
const remembered = 20_000

/**
 * Milliseconds after which a credential is resolved again. Changes are noticed at once by the change counter; this is for changes
 * by hand where the service database has no triggers.
 */
const rememberedMs = 30_000

/** @param engine looks callers up; by default the engine with the configuration of the moment. */
export type AuthenticateKnown = (
  credential: string,
  client: ClientInfo,
  engine?: Engine,
) => Authenticated | Promise<Authenticated>

export interface KnownCallers {
  readonly authenticate: AuthenticateKnown
  /** As `AuthProvider.expect`. */
  readonly expect: (credential: string, client: ClientInfo) => Expected | undefined
}

/**
 * Returns the caller of a credential, at once where it is known and the service database is within this process. Refusals are
 * not remembered. Credentials are remembered as digests; the texts of those used last, too, until others
 * are.
 */
export function createKnownCallers(options: KnownCallersOptions): KnownCallers {
  const { store, nameOf, resolve, maxAgeMs, clock } = options
  const known = new LRUCache<string, Known>({ max: remembered })
  const digestOf = createDigests(clock)

  const resolveAnew = async (
    credential: string,
    client: ClientInfo,
    digest: string,
    count: number,
    engine: Engine | undefined,
  ): Promise<Authenticated> => {
    known.delete(digest)
    const resolved = await resolve(credential, client)
    const untilMs = Math.min(resolved.untilMs, clock() + rememberedMs)
    known.set(digest, { ...resolved, untilMs, count })
    return use(resolved, engine)
  }

  const authenticate: AuthenticateKnown = (credential, client, engine) => {
    const digest = digestOf(nameOf(credential, client))
    const callerAt = (count: number): Authenticated | Promise<Authenticated> => {
      const found = known.get(digest)
      if (found === undefined || found.count !== count || found.untilMs <= clock()) {
        return resolveAnew(credential, client, digest, count, engine)
      }
      return use(found, engine)
    }
    try {
      const count = store.changeCount(maxAgeMs)
      return typeof count === 'number' ? callerAt(count) : count.then(callerAt)
    } catch (error) {
      return Promise.reject(error)
    }
  }
  let last: Confirmation | undefined
  /** One reading is the answer to many requests. */
  const confirmedBy = (reading: Promise<number>, expected: number): Promise<boolean> => {
    if (last?.reading !== reading || last.expected !== expected) {
      last = { reading, expected, confirmed: reading.then((count) => count === expected) }
    }
    return last.confirmed
  }
  const expect: KnownCallers['expect'] = (credential, client) => {
    const found = known.get(digestOf(nameOf(credential, client)))
    if (found === undefined || found.untilMs <= clock()) return undefined
    const { caller, onUse } = found
    if (typeof caller === 'function') return undefined
    try {
      const count = store.changeCount(maxAgeMs)
      if (typeof count === 'number') return undefined
      const confirmed = confirmedBy(count, found.count)
      return { known: caller, confirmed: onUse === undefined ? confirmed : used(confirmed, onUse) }
    } catch {
      // `authenticate` reports it.
      return undefined
    }
  }
  return { authenticate, expect }
}

/** Has the change counter the value that it had when a credential was resolved? */
interface Confirmation {
  readonly reading: Promise<number>
  readonly expected: number
  readonly confirmed: Promise<boolean>
}

async function used(confirmed: Promise<boolean>, onUse: () => void): Promise<boolean> {
  const isConfirmed = await confirmed
  if (isConfirmed) onUse()
  return isConfirmed
}

function use(
  { caller, onUse }: Resolved,
  engine: Engine | undefined,
): Authenticated | Promise<Authenticated> {
  onUse?.()
  return typeof caller === 'function' ? caller(engine) : caller
}
