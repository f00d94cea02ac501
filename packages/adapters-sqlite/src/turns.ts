/** @module One at a time, in the order in which they came. */
import { GatewayError } from '@engine/core/adapter'

export interface Turns {
  /**
   * Waits for one's turn.
   *
   * @returns what ends it
   * @throws {GatewayError} `unavailable` when it does not come in time.
   */
  take(): Promise<() => void>
  /** Sends those away who wait; resolves when nobody has a turn. */
  close(): Promise<void>
}

interface Waiting {
  begin(): void
  giveUp(): void
}

/** @param waitMs how long one waits at most, in milliseconds. */
export function createTurns(waitMs: number): Turns {
  const waiting = new Set<Waiting>()
  let isTaken = false
  let isClosed = false
  let onceFree: (() => void) | undefined

  const next = () => {
    const [first] = waiting
    isTaken = first !== undefined
    if (first === undefined) onceFree?.()
    else first.begin()
  }
  /** What ends a turn, once. */
  const turn = (): (() => void) => {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      next()
    }
  }
  const wait = () =>
    new Promise<() => void>((resolve, reject) => {
      const entry: Waiting = {
        begin: () => {
          stop()
          resolve(turn())
        },
        giveUp: () => {
          stop()
          reject(busy())
        },
      }
      const stop = () => {
        waiting.delete(entry)
        clearTimeout(timer)
      }
      const timer = setTimeout(entry.giveUp, waitMs)
      waiting.add(entry)
    })

  return {
    take: async () => {
      if (isClosed) throw busy()
      if (isTaken) return wait()
      isTaken = true
      return turn()
    },
    close: async () => {
      isClosed = true
      for (const each of [...waiting]) each.giveUp()
      if (isTaken) await new Promise<void>((resolve) => (onceFree = resolve))
    },
  }
}

function busy(): GatewayError {
  return new GatewayError('unavailable', 'The database is busy.', { sqlState: '53300' })
}
