/** @module Passes messages to a statement that reads more of them while it runs: COPY FROM STDIN. */
import type { FrontendMessage } from '../../protocol/frontend-message.ts'

export interface MessageGate {
  /** Called by the statement that reads: returns the next message. */
  take(): Promise<FrontendMessage>
  /** The statement waits for the next message. */
  isWaiting(): boolean
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
  return new CopyGate()
}

const resolved = Promise.resolve()

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class CopyGate implements MessageGate {
  #waiting: Waiting | undefined
  /** Resolves the sender of the last message when the statement waits again, or has ended. */
  #outside: PromiseWithResolvers<void> | undefined
  #ended: Promise<void> = resolved

  take(): Promise<FrontendMessage> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#outside?.resolve()
    })
  }

  isWaiting(): boolean {
    return this.#waiting !== undefined
  }

  enter(work: Promise<void>): Promise<void> {
    const outside = Promise.withResolvers<void>()
    this.#outside = outside
    if (this.isWaiting()) outside.resolve()
    this.#ended = work.then(
      () => this.#outside?.resolve(),
      (error: unknown) => this.#outside?.reject(error),
    )
    return outside.promise
  }

  offer(message: FrontendMessage): Promise<void> {
    const taker = this.#waiting
    this.#waiting = undefined
    this.#outside = Promise.withResolvers()
    const { promise } = this.#outside
    taker?.resolve(message)
    return promise
  }

  interrupt(reason: Error): void {
    const taker = this.#waiting
    this.#waiting = undefined
    taker?.reject(reason)
  }

  idle(): Promise<void> {
    return this.#ended
  }
}
