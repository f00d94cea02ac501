/** @module Renews tokens in time: one request for all concurrent callers, in this tab and in others. */
import type { SessionResponse } from '@engine/contract'
import { EngineError } from '../engine-error.ts'
import type { Transport } from '../transport/transport.ts'
import type { AuthStorage } from './auth-storage.ts'
import type { SessionState } from './session-state.ts'
import { leftMs, renewedBy, type SignedIn } from './signed-in.ts'

export interface Renewal {
  /**
   * Asks the engine for the signed-in user; the engine adds a new token inside the refresh window (`session.refreshWindow`).
   *
   * @returns undefined when no user is signed in any more.
   * @throws {EngineError} when the engine does not answer.
   */
  renew(): Promise<SignedIn | undefined>
  /** Returns the token to send now; undefined when no user is signed in. An old token is renewed before, or meanwhile. */
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

/** A token that ends within so many milliseconds is renewed before it is used. */
const urgentMs = 30_000

/**
 * The engine may not give a new token yet: asked again after so many milliseconds at least, and, as long as there is time,
 * after a tenth of what is left of the token.
 */
const pauseMs = { usual: 60_000, urgent: 5_000 }

export function createRenewal({ state, storage, transport, clock }: RenewalOptions): Renewal {
  let running: Promise<SignedIn | undefined> | undefined
  /** When the engine was last asked. */
  let askedAtMs = Number.NEGATIVE_INFINITY
  const withLock = storage.exclusively ?? ((work) => work())

  /** @param token the one that is old; where another is there by now, there is nothing to ask. */
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
        // The token at hand is still good: a later request needs a new one, and asks again for what fails now.
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

/** Codes, not statuses: a wrong password is 401 too, and ends nothing. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'UNAUTHORIZED'
}
