/** @module The session of a page: its storage and its listeners. */
import type { AuthStorage } from './auth-storage.ts'
import { readSignedIn, type SignedIn } from './signed-in.ts'

/**
 * - `signed-in`: a user signed in, or another user
 * - `renewed`: a new token, or changed facts about the user
 * - `signed-out`: by `signOut`, here or in another tab
 * - `ended`: the engine refuses the token: it expired, or an administrator ended the session
 */
export type AuthEvent = 'signed-in' | 'renewed' | 'signed-out' | 'ended'

/**
 * Is called after each change of the session.
 *
 * @param signedIn undefined: no user is signed in.
 */
export type AuthListener = (event: AuthEvent, signedIn: SignedIn | undefined) => void

export interface SessionState {
  /** Returns the signed-in user as read so far: with an asynchronous storage it is undefined until `ready`. */
  current(): SignedIn | undefined
  /** @throws errors of the storage. */
  ready(): Promise<void>
  /** Stores the session and calls all listeners. */
  change(event: AuthEvent, next: SignedIn | undefined): Promise<void>
  /** Reads the session again, since other tabs may have written it. */
  reload(): Promise<SignedIn | undefined>
  /** @returns a function that removes the listener. */
  onChange(listener: AuthListener): () => void
  /** Stops listening to other tabs. */
  close(): void
}

export function createSessionState(storage: AuthStorage): SessionState {
  const listeners = new Set<AuthListener>()
  let signedIn: SignedIn | undefined
  /** Number of changes in this tab: a read that began before a change is older than the change. */
  let changes = 0

  const notify = (event: AuthEvent, next: SignedIn | undefined): void => {
    signedIn = next
    for (const listener of [...listeners]) callBack(listener, event, next)
  }
  /** Applies the writes of other tabs. */
  const adopt = (text: string | undefined): void => {
    const next = readSignedIn(text)
    if (JSON.stringify(next) === JSON.stringify(signedIn)) return
    if (next === undefined) notify('signed-out', undefined)
    else notify(next.id === signedIn?.id ? 'renewed' : 'signed-in', next)
  }
  /** Writes one after the other, however long each takes. */
  let written: Promise<void> = Promise.resolve()
  const write = (text: string | undefined): Promise<void> => {
    const wrote = written.then(() => storage.write(text))
    written = wrote.catch(() => undefined)
    return wrote
  }
  const reload = async (): Promise<SignedIn | undefined> => {
    await written
    const before = changes
    const text = await storage.read()
    if (changes === before) adopt(text)
    return signedIn
  }

  const first = storage.read()
  let reading: Promise<void> | undefined
  if (first instanceof Promise) {
    reading = first.then((text) => {
      if (changes === 0) adopt(text)
    })
    // `ready` rejects with it.
    reading.catch(() => undefined)
  } else {
    signedIn = readSignedIn(first)
  }
  // A storage that fails now fails again at the next call, which then rejects.
  const stop = storage.subscribe?.(() => void reload().catch(() => undefined))
  return {
    current: () => signedIn,
    ready: async () => reading,
    change: (event, next) => {
      changes += 1
      notify(event, next)
      return write(next && JSON.stringify(next))
    },
    reload,
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      listeners.clear()
      stop?.()
    },
  }
}

/** An exception in one listener is reported globally and does not stop the others. */
function callBack(listener: AuthListener, event: AuthEvent, next: SignedIn | undefined): void {
  try {
    listener(event, next)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
