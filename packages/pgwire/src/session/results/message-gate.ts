/** @module Passes messages to a statement that reads more of them while it runs: COPY FROM STDIN. */
import type { FrontendMessage } from '../../protocol/frontend-message.ts'

export interface MessageGate {
  /** Called by the statement that reads: returns the next message. */
  take(): Promise<FrontendMessage>
  /** The statement waits for the next message. */
  readonly isWaiting: () => boolean
  /** Resolves when the statement has ended, or waits for a message. Rejects when it does. */
  enter(work: Promise<void>): Promise<void>
  /** Passes a message to the waiting statement. Resolves like `enter`. */
  offer(message: FrontendMessage): Promise<void>
  /** The waiting statement gets an error in place of a message. */
  interrupt(reason: Error): void
  /** Resolves when no statement is running. */
  idle(): Promise<void>
}

interface Waiting {
  readonly resolve: (message: FrontendMessage) => void
  readonly reject: (reason: Error) => void
}

export function createMessageGate(): MessageGate {
  let waiting: Waiting | undefined
  /** Resolves the sender of the last message when the statement waits again, or has ended. */
  let outside: PromiseWithResolvers<void> | undefined
  let ended: Promise<void> = Promise.resolve()

  return {
    take: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        outside?.resolve()
      }),
    isWaiting: () => waiting !== undefined,
    enter: (work) => {
      outside = Promise.withResolvers()
      const { promise } = outside
      if (waiting !== undefined) outside.resolve()
      ended = work.then(
        () => outside?.resolve(),
        (error: unknown) => outside?.reject(error),
      )
      return promise
    },
    offer: (message) => {
      const taker = waiting
      waiting = undefined
      outside = Promise.withResolvers()
      taker?.resolve(message)
      return outside.promise
    },
    interrupt: (reason) => {
      const taker = waiting
      waiting = undefined
      taker?.reject(reason)
    },
    idle: () => ended,
  }
}
