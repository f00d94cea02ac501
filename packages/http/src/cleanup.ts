/** What has to be closed, and in which order. */
export interface Cleanup {
  add(close: () => Promise<void>): void
  /** The last one added first; each has its turn although others fail. @throws the first failure. */
  readonly run: () => Promise<void>
}

/** Closes once, however often it is asked. */
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
