/**
 * Where a session is kept between visits: a browser's own storage, a keychain of a device, a file. What is kept holds a
 * token: whoever can read it is signed in.
 */
export interface AuthStorage {
  read(): string | undefined | Promise<string | undefined>
  /** undefined: nothing is to be kept any more. */
  write(text: string | undefined): void | Promise<void>
  /** Calls back when somebody else has written, another tab say. @returns ends that. */
  subscribe?(onChange: () => void): () => void
  /** Runs work while nobody else who shares this storage runs theirs; without it, tabs renew tokens side by side. */
  exclusively?<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Until the page or the process ends. */
export function memoryStorage(): AuthStorage {
  let kept: string | undefined
  return {
    read: () => kept,
    write: (text) => {
      kept = text
    },
  }
}
