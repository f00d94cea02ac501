/** @module Renews tokens before they expire: one request for all concurrent callers, in this tab and in others. */
import type { SessionResponse } from '@engine/contract'
import { EngineError } from '../engine-error.ts'
import type { Transport } from '../transport/transport.ts'
import type { AuthStorage } from './auth-storage.ts'
import type { SessionState } from './session-state.ts'
import { leftMs, renewedBy, type SignedIn } from './signed-in.ts'

export interface Renewal {
  /**
   * Requests the signed-in user; the engine adds a new token inside the refresh window (`session.refreshWindow`).
   *
   * @returns undefined when no user is signed in any more.
   * @throws {EngineError} when the engine does not answer.
   */
  renew(): Promise<SignedIn | undefined>
  /**
   * Returns the token to send now; undefined when no user is signed in. A token that expires soon is renewed before, or
   * at the same time.
   */
  freshToken(): Promise<string | undefined>
  /** @returns whether there is now another token than this one, which the engine refused. */
  replaced(token: string): Promise<boolean>
}

export interface RenewalOptions {
  readonly state: SessionState
  readonly storage: AuthStorage
  readonly transport: Transport
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** A token that ends within this number of milliseconds is renewed before it is used. */
const urgentMs = 30_000

/**
 * The engine may not return a new token yet: the next request follows after at least this number of milliseconds and,
 * while there is time, after a tenth of the token's remaining time.
 */
const pauseMs = { usual: 60_000, urgent: 5_000 }

export function createRenewal({ state, storage, transport, clock }: RenewalOptions): Renewal {
  let running: Promise<SignedIn | undefined> | undefined
  /** Time of the last request. */
  let askedAtMs = Number.NEGATIVE_INFINITY
  const withLock = storage.exclusively ?? ((work) => work())

  /** @param token the old one; where another token is stored by now, no request is needed. */
  const ask = async (token: string | undefined): Promise<SignedIn | undefined> => {
    const before = await state.reload()
    if (before === undefined || before.token !== token) return before
    askedAtMs = clock()
    const call = { method: 'GET', path: '/auth/session', token: before.token, isRepeatable: true }
    try {
      const answer = (await transport(call as Parameters<Transport>[0])) as SessionResponse
      // Meanwhile the user may have signed out, or in as another user: here, or in another tab.
      if ((await state.reload())?.id === before.id) {
        await state.change('renewed', renewedBy(before, answer, clock()))
      }
    } catch (error) {
      if (!isUnauthorized(error)) throw error
      if (state.current()?.token === before.token) await state.change('ended', undefined)
    }
    return state.current()
  }
  const renew = (): Promise<SignedIn | undefined> => {
    const token = state.current()?.token
    running ??= withLock(() => ask(token)).finally(() => {
      running = undefined
    })
    return running
  }
  return {
    renew,
    freshToken: async () => {
      await state.ready()
      const now = state.current()
      if (now === undefined) return undefined
      const nowMs = clock()
      const left = leftMs(now, nowMs)
      const sinceAskedMs = Math.abs(nowMs - askedAtMs)
      if (left <= urgentMs && sinceAskedMs >= pauseMs.urgent) {
        // If the engine is unavailable, the request that needs the token will report it.
        await renew().catch(ignoreUnanswered)
      } else if (left <= now.lifeMs / 2 && sinceAskedMs >= Math.max(pauseMs.usual, left / 10)) {
        // The current token is still valid: a later request needs a new one, and repeats the request that fails now.
        renew().catch(() => undefined)
      }
      return state.current()?.token
    },
    replaced: async (token) => {
      const kept = await state.reload()
      const here = kept?.token === token ? await renew() : kept
      return here !== undefined && here.token !== token
    },
  }
}

function ignoreUnanswered(error: unknown): void {
  if (!(error instanceof EngineError)) throw error
}

/** Codes, not statuses: a wrong password is also 401, and does not end the session. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'UNAUTHORIZED'
}
