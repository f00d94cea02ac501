/** Resources to close, and their order. */
export interface Cleanup {
  add(close: () => Promise<void>): void
  /** Closes the last one added first; an error does not stop the others. @throws the first error. */
  readonly run: () => Promise<void>
}

/** Closes once, for any number of calls. */
export function createCleanup(): Cleanup {
  const closers: (() => Promise<void>)[] = []
  let running: Promise<void> | undefined
  const closeAll = async () => {
    const failures: unknown[] = []
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => void failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }
  return {
    add: (close) => void closers.push(close),
    run: () => {
      running ??= closeAll()
      return running
    },
  }
}
