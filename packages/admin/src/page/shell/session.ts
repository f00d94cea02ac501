/** @module Whether an administrator is signed in, and until when. */
import type { AdministratorSession } from '@engine/contract/admin-api'
import { focusManager } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, base, request, whenSignedOut } from '../api/http.ts'
import { queries } from '../api/query-client.ts'
import { forgetDrafts, removeDrafts } from '../drafts/draft-store.ts'
import { writeHistory } from '../screens/query/history.ts'

export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'signed-out'; readonly reason?: string }
  | {
      readonly kind: 'signed-in'
      readonly session: AdministratorSession
      /** The session is over; the page stays as it is until the same account signs in again. */
      readonly hasEnded: boolean
    }

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
  linkAnswer ??= request('POST /sign-in/link', {
    body: { token },
    signal: AbortSignal.timeout(linkMs),
  })
  await linkAnswer
}

type Message = 'signed-in' | 'signed-out'

/** Tabs of a browser share a session. */
const channel = new BroadcastChannel('engine-admin')

function reasonOf(error: unknown): string {
  return error instanceof ApiError && error.status === 401
    ? 'This link was used before, or is too old. The master key always works.'
    : (error as Error).message
}

/** Forgets what the page holds of an account. Drafts that wait in the storage of the tab stay. */
function clear(): void {
  void queries.cancelQueries()
  queries.clear()
  forgetDrafts()
  focusManager.setFocused(undefined)
}

/** The page of another account is left. */
function leavePage(): void {
  clear()
  history.replaceState(null, '', base === '' ? '/' : base)
}

/** Reads what was refused while nobody was signed in. Nothing else is repeated. */
function goOn(): void {
  focusManager.setFocused(undefined)
  void queries.invalidateQueries({
    predicate: ({ state: { error } }) => error instanceof ApiError && error.status === 401,
  })
}

export function useSession(): SessionControl {
  const { state, signIns, account, enter, end, forget, setState } = useSessionState()
  const look = useCallback(async () => {
    const failure =
      link === undefined ? undefined : await exchange(link).then(() => undefined, reasonOf)
    const asked = signIns.current
    try {
      const { session } = await request('GET /session', {
        isBackground: true,
      })
      if (asked !== signIns.current) return
      if (session === null) end(failure)
      else enter(session)
    } catch (error) {
      // A server that does not answer has ended no session.
      setState((now) =>
        now.kind === 'unknown' ? { kind: 'signed-out', reason: (error as Error).message } : now,
      )
    }
  }, [signIns, end, enter, setState])
  useEffect(() => void look(), [look])
  useLookOnEvents(look, forget, setState)
  useLookWhenIdle(state, look)
  return {
    state,
    signIn: async (masterKey, signal) => {
      const session = await openSession(masterKey, signal)
      signIns.current += 1
      enter(session)
      channel.postMessage('signed-in' satisfies Message)
    },
    signOut: async (signal) => {
      await closeSession(signal)
      channel.postMessage('signed-out' satisfies Message)
      writeHistory([])
      if (account.current !== undefined) removeDrafts(account.current)
      forget()
    },
  }
}

/** @throws {ApiError} */
async function openSession(masterKey: string, signal: AbortSignal): Promise<AdministratorSession> {
  await request('POST /sign-in', { body: { masterKey }, signal })
  // A browser that refuses the cookie would go round in circles.
  const { session } = await request('GET /session', { signal })
  if (session !== null) return session
  throw new ApiError(0, {
    message: 'The browser did not keep the session: open this page over https, or on localhost.',
  })
}

/** @throws {ApiError} where the session may go on. */
async function closeSession(signal: AbortSignal): Promise<void> {
  try {
    await request('POST /sign-out', { signal })
  } catch (error) {
    const hasEnded = error instanceof ApiError && error.status === 401
    if (!hasEnded) throw error
  }
}

/** The state, and the three ways in which it changes. */
function useSessionState() {
  const [state, setState] = useState<SessionState>({ kind: 'unknown' })
  /** Whose page this is, also while its session has ended. */
  const account = useRef<string>(undefined)
  const isOver = useRef(false)
  /** Sign-ins of this page: an answer about the session before is no news. */
  const signIns = useRef(0)

  const forget = useCallback((reason?: string) => {
    clear()
    account.current = undefined
    setState((now) => (now.kind === 'signed-out' ? now : signedOut(reason)))
  }, [])

  const end = useCallback((reason: string | undefined) => {
    // What the page reads by itself waits for the next session.
    focusManager.setFocused(false)
    isOver.current = true
    setState((now) => (now.kind === 'signed-in' ? { ...now, hasEnded: true } : signedOut(reason)))
  }, [])

  const enter = useCallback((session: AdministratorSession) => {
    if (account.current !== undefined && account.current !== session.account) leavePage()
    account.current = session.account
    if (isOver.current) goOn()
    isOver.current = false
    setState({ kind: 'signed-in', session, hasEnded: false })
  }, [])

  return { state, signIns, account, enter, end, forget, setState }
}

function signedOut(reason: string | undefined): SessionState {
  return { kind: 'signed-out', ...(reason === undefined ? {} : { reason }) }
}

/** Looks at the session again when a request was refused, the page is shown again, or another tab has changed it. */
function useLookOnEvents(
  look: () => Promise<void>,
  forget: () => void,
  setState: (state: SessionState) => void,
): void {
  useEffect(() => {
    // The refusal may be of a request that was sent before the last sign-in.
    whenSignedOut(() => void look())
    // A page that the browser kept shows nothing before its session is known to last.
    const onShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      setState({ kind: 'unknown' })
      queries.clear()
      void look()
    }
    const onMessage = ({ data }: MessageEvent<Message>) => {
      if (data === 'signed-out') forget()
      else void look()
    }
    const onVisible = () => document.visibilityState === 'visible' && void look()
    addEventListener('pageshow', onShow)
    document.addEventListener('visibilitychange', onVisible)
    channel.addEventListener('message', onMessage)
    return () => {
      removeEventListener('pageshow', onShow)
      document.removeEventListener('visibilitychange', onVisible)
      channel.removeEventListener('message', onMessage)
    }
  }, [look, forget, setState])
}

/** The server decides; this looks again when its answer may have changed. */
function useLookWhenIdle(state: SessionState, look: () => Promise<void>): void {
  const idleUntil =
    state.kind === 'signed-in' && !state.hasEnded ? state.session.idleUntil : undefined
  useEffect(() => {
    if (idleUntil === undefined) return undefined
    const wait = Math.max(1_000, Date.parse(idleUntil) - Date.now() + 500)
    const timer = setTimeout(() => void look(), wait)
    return () => clearTimeout(timer)
  }, [idleUntil, look])
}
