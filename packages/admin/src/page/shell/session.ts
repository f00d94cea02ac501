/** @module Whether an administrator is signed in, and until when. */
import { useCallback, useEffect, useState } from 'react'
import type { Session } from '../api/answers.ts'
import { ApiError, request, whenSignedOut } from '../api/http.ts'
import { queries } from '../api/query-client.ts'
import { writeHistory } from '../screens/query/history.ts'

export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-out'; readonly reason?: string }
  | { readonly kind: 'signed-in'; readonly session: Session }

export interface SessionControl {
  readonly state: SessionState
  readonly signIn: (masterKey: string, signal: AbortSignal) => Promise<void>
  /** @throws {ApiError} where the session may go on. */
  readonly signOut: (signal: AbortSignal) => Promise<void>
}

/** The token of a sign-in link, which the address keeps no longer than this. */
const link = takeLink()

function takeLink(): string | undefined {
  const [, token] = /^#sign-in=([\w-]+)$/.exec(location.hash) ?? []
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return token
}

let linkAnswer: Promise<unknown> | undefined

/** How long signing in by a link waits for an answer, in milliseconds. */
const linkMs = 30_000

/** Exchanges the token for a session, once. @throws {ApiError} */
async function exchange(token: string): Promise<void> {
  linkAnswer ??= request('/sign-in/link', {
    method: 'POST',
    body: { token },
    signal: AbortSignal.timeout(linkMs),
  })
  await linkAnswer
}

/** Tabs tell each other that a session has ended. */
const channel = new BroadcastChannel('engine-admin')

function reasonOf(error: unknown): string {
  return error instanceof ApiError && error.status === 401
    ? 'This link was used before, or is too old. The master key always works.'
    : (error as Error).message
}

export function useSession(): SessionControl {
  const [state, setState] = useState<SessionState>({ kind: 'unknown' })

  const forget = useCallback((reason?: string) => {
    void queries.cancelQueries()
    queries.clear()
    setState((now) =>
      now.kind === 'signed-out'
        ? now
        : { kind: 'signed-out', ...(reason === undefined ? {} : { reason }) },
    )
  }, [])

  const look = useCallback(async () => {
    const failure =
      link === undefined ? undefined : await exchange(link).then(() => undefined, reasonOf)
    try {
      const { session } = await request<{ session: Session | null }>('/session', {
        isBackground: true,
      })
      if (session === null) forget(failure)
      else setState({ kind: 'signed-in', session })
    } catch (error) {
      forget(error instanceof Error ? error.message : undefined)
    }
  }, [forget])

  useEffect(() => {
    whenSignedOut(() => forget('Your session has ended. Sign in again to go on.'))
    void look()
    // A page that the browser kept shows nothing before its session is known to last.
    const onShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      setState({ kind: 'unknown' })
      queries.clear()
      void look()
    }
    const onMessage = () => forget()
    const onVisible = () => document.visibilityState === 'visible' && void look()
    addEventListener('pageshow', onShow)
    document.addEventListener('visibilitychange', onVisible)
    channel.addEventListener('message', onMessage)
    return () => {
      removeEventListener('pageshow', onShow)
      document.removeEventListener('visibilitychange', onVisible)
      channel.removeEventListener('message', onMessage)
    }
  }, [look, forget])

  // The server decides; this looks again when its answer may have changed.
  const idleUntil = state.kind === 'signed-in' ? state.session.idleUntil : undefined
  useEffect(() => {
    if (idleUntil === undefined) return undefined
    const wait = Math.max(1_000, Date.parse(idleUntil) - Date.now() + 500)
    const timer = setTimeout(() => void look(), wait)
    return () => clearTimeout(timer)
  }, [idleUntil, look])

  return {
    state,
    signIn: async (masterKey, signal) => {
      const { session } = await request<{ session: Session }>('/sign-in', {
        method: 'POST',
        body: { masterKey },
        signal,
      })
      // A browser that refuses the cookie would go round in circles.
      const kept = await request<{ session: Session | null }>('/session', { signal })
      if (kept.session === null) {
        throw new ApiError(0, {
          message:
            'The browser did not keep the session: open this page over https, or on localhost.',
        })
      }
      setState({ kind: 'signed-in', session })
    },
    signOut: async (signal) => {
      try {
        await request('/sign-out', { method: 'POST', signal })
      } catch (error) {
        const hasEnded = error instanceof ApiError && error.status === 401
        if (!hasEnded) throw error
      }
      channel.postMessage('signed-out')
      writeHistory([])
      forget()
    },
  }
}
