/** @module The statement that runs now: its id, and how to stop it. */

export interface RunningStatement {
  /** Another statement, with a new id: from now on, while it is planned, the client can stop it. */
  next(): void
  /** The statement runs: from now on its time is limited. One that was stopped before runs with an aborted signal. */
  start(timeoutMs: number | undefined): void
  /** The statement has ended: a later cancel request does nothing. */
  finish(): void
  /** Stops the statement, if one is planned or runs. @returns whether one was. */
  cancel(): boolean
  /** A statement before this one had already ended when it was to be stopped: its batch is stopped now. */
  isCancelDue(): boolean
  /** The client has been told of an error, or of the end of its batch: a cancel request before counts no more. */
  settle(): void
  signal(): AbortSignal
  /** Milliseconds since it is the running statement. */
  elapsedMs(): number
  stoppedBy(): 'client' | 'timeout' | undefined
  /** The id of the connection, and the number of the statement. */
  correlationId(): string
}

/** @param connectionId correlation id of the connection */
export function createRunningStatement(connectionId: string): RunningStatement {
  return new SessionRunning(connectionId)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class SessionRunning implements RunningStatement {
  readonly #connectionId: string
  /** Made for the first statement that asks for its signal. */
  #controller: AbortController | undefined
  #stoppedBy: 'client' | 'timeout' | undefined
  #isGoing = false
  #isCancelDue = false
  #count = 0
  #sinceMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(connectionId: string) {
    this.#connectionId = connectionId
  }

  next(): void {
    this.#stopTimer()
    if (this.#controller?.signal.aborted) this.#controller = undefined
    if (this.#stoppedBy === 'client') this.#isCancelDue = true
    this.#stoppedBy = undefined
    this.#isGoing = true
    this.#count += 1
    this.#sinceMs = performance.now()
  }

  start(timeoutMs: number | undefined): void {
    this.#stopTimer()
    if (timeoutMs !== undefined) {
      this.#timer = setTimeout(() => this.#stop('timeout'), timeoutMs)
    }
  }

  finish(): void {
    this.#isGoing = false
    this.#stopTimer()
  }

  cancel(): boolean {
    this.#stop('client')
    return this.#isGoing
  }

  isCancelDue(): boolean {
    return this.#isCancelDue
  }

  settle(): void {
    this.#stoppedBy = undefined
    this.#isCancelDue = false
  }

  signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  elapsedMs(): number {
    return performance.now() - this.#sinceMs
  }

  stoppedBy(): 'client' | 'timeout' | undefined {
    return this.#stoppedBy
  }

  correlationId(): string {
    return `${this.#connectionId}.${this.#count}`
  }

  #stop(reason: 'client' | 'timeout'): void {
    if (!this.#isGoing) return
    this.#stoppedBy ??= reason
    this.#controller ??= new AbortController()
    this.#controller.abort()
  }

  #stopTimer(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
