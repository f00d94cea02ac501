import type { AuthStorage } from './auth-storage.ts'
import { withCrossTabLock } from './cross-tab-lock.ts'

/** Options of `browserStorage`. */
export interface BrowserStorageOptions {
  /** Default `engine.session`. */
  readonly key?: string
  /** Default `localStorage`, which all tabs share; `sessionStorage` belongs to one tab and ends with it. */
  readonly area?: Storage
}

/**
 * Storage of a browser. Malicious scripts in the page can read it: set a Content-Security-Policy, or keep sessions in
 * memory, which is the default. Where there is no storage, as on a server that renders pages, or a browser refuses it,
 * the session stays in memory.
 *
 * @example
 * const auth = createAuth({ url: 'https://data.example.com', storage: browserStorage() })
 */
export function browserStorage(options: BrowserStorageOptions = {}): AuthStorage {
  const { key = 'engine.session', area = localArea() } = options
  /** A session that could not be written. */
  let kept: { readonly text: string | undefined } | undefined
  return {
    read: () => (kept ? kept.text : (area?.getItem(key) ?? undefined)),
    write: (text) => {
      kept = area !== undefined && tryToWrite(area, key, text) ? undefined : { text }
    },
    subscribe: (onChange) => {
      // Outside of browsers there are no events for changes.
      if (area === undefined || !('addEventListener' in globalThis)) return () => undefined
      const listener = (event: StorageEvent) => {
        // `clear()` has no key.
        const isOurs = event.storageArea === area && (event.key === key || event.key === null)
        if (isOurs) onChange()
      }
      // A page in the browser's back/forward cache received no events.
      const onReturn = ({ persisted }: PageTransitionEvent) => {
        if (persisted) onChange()
      }
      globalThis.addEventListener('storage', listener)
      globalThis.addEventListener('pageshow', onReturn)
      return () => {
        globalThis.removeEventListener('storage', listener)
        globalThis.removeEventListener('pageshow', onReturn)
      }
    },
    exclusively: (work) =>
      // A storage that is not shared needs no lock: in a server process it would make unrelated sessions wait.
      area === undefined
        ? work()
        : withCrossTabLock(key, { locks: globalThis.navigator?.locks, area }, work),
  }
}

/**
 * Reading the property already throws where a page may not store data. Servers may have a storage too, which all
 * requests would share, or which cannot be used: a session belongs to a page.
 */
function localArea(): Storage | undefined {
  if (!('document' in globalThis)) return undefined
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

/** @returns false where the storage is full or not accessible. */
function tryToWrite(area: Storage, key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) area.removeItem(key)
    else area.setItem(key, text)
    return true
  } catch {
    return false
  }
}
