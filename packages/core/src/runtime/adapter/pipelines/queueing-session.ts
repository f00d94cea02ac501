import type { Execution, ResultSet } from '../adapter.ts'

/** A connection to which statements can be sent while it still answers those before them. */
export interface QueueingSession<Answer> {
  /** Can it still be written to, as far as the client side knows? */
  isAlive(): boolean
  /** Marks it as never to be used again. */
  condemn(): void
  /** Number of queued statements that leave in one write at the end of this turn of the event loop. */
  unsent(): number
  /** Can the statement be queued now? Not while it is being prepared; where it must be prepared first, that may begin. */
  takes(statement: Execution['statement']): boolean
  /**
   * Sends a read of one step after the statements in progress.
   *
   * @param isWanted called with the size of each row, in bytes: false where the row need not be kept.
   */
  queue(execution: Execution, isWanted: (bytes: number) => boolean): Queued<Answer>
  /** Asks the server to cancel what the connection runs. Resolves when that was sent, or could not be sent. */
  cancel(): Promise<void>
}

/** A statement that was queued. */
export interface Queued<Answer> {
  /** Rejects with the error of the server. */
  readonly answer: Promise<Answer>
  /** Makes the result from the answer. Undefined: the statement must run on another connection. */
  readonly finish: (answer: Answer) => ResultSet | undefined | Promise<ResultSet | undefined>
}
