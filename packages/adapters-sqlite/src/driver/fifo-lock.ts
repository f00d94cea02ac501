/** @module A lock that is granted in the order of the requests. */
import { GatewayError } from '@engine/core/adapter'

export interface FifoLock {
  /**
   * Waits for the lock.
   *
   * @returns a function that releases it; a second call does nothing
   * @throws {GatewayError} `unavailable` when the wait is too long.
   */
  acquire(): Promise<() => void>
  /** Refuses the requests that wait; resolves when the lock is free. */
  close(): Promise<void>
}

interface Waiting {
  grant(): void
  refuse(): void
}

/** @param waitMs the longest wait, in milliseconds. */
export function createFifoLock(waitMs: number): FifoLock {
  const waiting = new Set<Waiting>()
  let isTaken = false
  let isClosed = false
  let onFree: (() => void) | undefined

  const next = () => {
    const [first] = waiting
    isTaken = first !== undefined
    if (first === undefined) onFree?.()
    else first.grant()
  }
  const releaseOnce = (): (() => void) => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      next()
    }
  }
  const wait = () =>
    new Promise<() => void>((resolve, reject) => {
      const entry: Waiting = {
        grant: () => {
          stop()
          resolve(releaseOnce())
        },
        refuse: () => {
          stop()
          reject(busy())
        },
      }
      const stop = () => {
        waiting.delete(entry)
        clearTimeout(timer)
      }
      const timer = setTimeout(entry.refuse, waitMs)
      waiting.add(entry)
    })

  return {
    acquire: async () => {
      if (isClosed) throw busy()
      if (isTaken) return wait()
      isTaken = true
      return releaseOnce()
    },
    close: async () => {
      isClosed = true
      for (const each of [...waiting]) each.refuse()
      if (isTaken) await new Promise<void>((resolve) => (onFree = resolve))
    },
  }
}

function busy(): GatewayError {
  return new GatewayError('unavailable', 'The database is busy.', { sqlState: '53300' })
}
