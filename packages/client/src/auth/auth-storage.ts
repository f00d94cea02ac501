/**
 * Stores a session between visits: the storage of a browser, a keychain of a device, a file. The session contains a
 * token: code that can read it can act as the user.
 */
export interface AuthStorage {
  read(): string | undefined | Promise<string | undefined>
  /** Stores the session; undefined removes it. */
  write(text: string | undefined): void | Promise<void>
  /**
   * Calls back when the session was written elsewhere, for example in another tab. @returns a function that removes the
   * listener.
   */
  subscribe?(onChange: () => void): () => void
  /** Runs work under a lock that all users of this storage share; without it, tabs renew tokens at the same time. */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Keeps the session in memory until the page or the process ends. */
export function memoryStorage(): AuthStorage {
  let kept: string | undefined
  return {
    read: () => kept,
    write: (text) => {
      kept = text
    },
  }
}
