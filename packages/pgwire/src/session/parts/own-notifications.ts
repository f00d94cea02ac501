/** @module Notifications that a session has sent to channels to which it listens itself. */

/** A notification of a transaction that has committed. */
export interface SentNotification {
  /** Of the channel. */
  readonly key: string
  readonly payload: string
  /** The session of the database that has sent it. */
  readonly sender: number
}

/**
 * PostgreSQL delivers a session's own notifications before its answer to COMMIT. Ours come by another connection, some milliseconds
 * later: the answer waits, for this many milliseconds at most, since that connection may be lost.
 */
const longestWaitMs = 1_000

export interface OwnNotifications {
  /** They are on their way. */
  expect(sent: readonly SentNotification[]): void
  /** Whether the notification that has arrived is one of them. */
  take(arrived: SentNotification): boolean
  /** Undefined where none is on its way; otherwise resolves when all have arrived, or after the longest wait. */
  arrived(): Promise<void> | undefined
  /** None is awaited any more. */
  end(): void
}

const nothing: readonly SentNotification[] = []

export function createOwnNotifications(): OwnNotifications {
  return new ExpectedNotifications()
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class ExpectedNotifications implements OwnNotifications {
  #expected = nothing
  #finish: (() => void) | undefined

  expect(sent: readonly SentNotification[]): void {
    this.#expected = [...this.#expected, ...sent]
  }

  take(arrived: SentNotification): boolean {
    const index = this.#expected.findIndex((each) => isSame(each, arrived))
    if (index === -1) return false
    this.#expected = this.#expected.toSpliced(index, 1)
    if (this.#expected.length === 0) this.#finish?.()
    return true
  }

  arrived(): Promise<void> | undefined {
    if (this.#expected.length === 0) return undefined
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.#finish = undefined
        this.#expected = nothing
        resolve()
      }
      const timer = setTimeout(finish, longestWaitMs)
      this.#finish = finish
    })
  }

  end(): void {
    this.#expected = nothing
    this.#finish?.()
  }
}

function isSame(a: SentNotification, b: SentNotification): boolean {
  return a.sender === b.sender && a.key === b.key && a.payload === b.payload
}
