/** @module The one session of a page, as it is kept and as others hear of it. */
import type { AuthStorage } from './auth-storage.ts'
import { readSignedIn, type SignedIn } from './signed-in.ts'

/**
 * - `signed-in`: somebody is, or somebody else
 * - `renewed`: a new token, or other facts about the user
 * - `signed-out`: by `signOut`, here or in another tab
 * - `ended`: the engine takes the token no longer: it expired, or an administrator ended the session
 */
export type AuthEvent = 'signed-in' | 'renewed' | 'signed-out' | 'ended'

/** @param signedIn undefined: nobody is. */
export type AuthListener = (event: AuthEvent, signedIn: SignedIn | undefined) => void

export interface SessionState {
  /** Who is signed in, as far as it was read: a storage that has to be waited for is empty until `ready`. */
  current(): SignedIn | undefined
  /** @throws what the storage throws. */
  ready(): Promise<void>
  /** Keeps it and tells everyone. */
  change(event: AuthEvent, next: SignedIn | undefined): Promise<void>
  /** Reads again what others may have written. */
  reload(): Promise<SignedIn | undefined>
  /** @returns ends it. */
  onChange(listener: AuthListener): () => void
  /** Stops listening to others. */
  close(): void
}

export function createSessionState(storage: AuthStorage): SessionState {
  const listeners = new Set<AuthListener>()
  let signedIn: SignedIn | undefined
  /** Counts what was changed here, which is newer than what was being read meanwhile. */
  let changes = 0

  const tell = (event: AuthEvent, next: SignedIn | undefined): void => {
    signedIn = next
    for (const listener of [...listeners]) callBack(listener, event, next)
  }
  /** What others have written. */
  const adopt = (text: string | undefined): void => {
    const next = readSignedIn(text)
    if (JSON.stringify(next) === JSON.stringify(signedIn)) return
    if (next === undefined) tell('signed-out', undefined)
    else tell(next.id === signedIn?.id ? 'renewed' : 'signed-in', next)
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
    // Whoever calls `ready` hears of it.
    reading.catch(() => undefined)
  } else {
    signedIn = readSignedIn(first)
  }
  // A storage that fails now fails again when somebody asks, who then hears of it.
  const stop = storage.subscribe?.(() => void reload().catch(() => undefined))
  return {
    current: () => signedIn,
    ready: async () => reading,
    change: (event, next) => {
      changes += 1
      tell(event, next)
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

/** What a listener throws is its page's to hear of, and keeps nobody else from hearing. */
function callBack(listener: AuthListener, event: AuthEvent, next: SignedIn | undefined): void {
  try {
    listener(event, next)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
