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
  readonly signal: () => AbortSignal
  /** Milliseconds since it is the running statement. */
  readonly elapsedMs: () => number
  readonly stoppedBy: () => 'client' | 'timeout' | undefined
  /** The id of the connection, and the number of the statement. */
  readonly correlationId: () => string
}

/** @param connectionId correlation id of the connection */
export function createRunningStatement(connectionId: string): RunningStatement {
  let controller = new AbortController()
  let stoppedBy: 'client' | 'timeout' | undefined
  let isGoing = false
  let count = 0
  let sinceMs = performance.now()
  let timer: NodeJS.Timeout | undefined

  const stop = (reason: 'client' | 'timeout') => {
    if (!isGoing) return
    stoppedBy ??= reason
    controller.abort()
  }
  const stopTimer = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
  }
  const finish = () => {
    isGoing = false
    stopTimer()
  }

  return {
    next: () => {
      stopTimer()
      if (controller.signal.aborted) controller = new AbortController()
      stoppedBy = undefined
      isGoing = true
      count += 1
      sinceMs = performance.now()
    },
    start: (timeoutMs) => {
      stopTimer()
      if (timeoutMs !== undefined) timer = setTimeout(stop, timeoutMs, 'timeout')
    },
    finish,
    cancel: () => {
      stop('client')
      return isGoing
    },
    signal: () => controller.signal,
    elapsedMs: () => performance.now() - sinceMs,
    stoppedBy: () => stoppedBy,
    correlationId: () => `${connectionId}.${count}`,
  }
}
