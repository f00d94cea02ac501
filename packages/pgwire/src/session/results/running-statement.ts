/** @module The statement that runs now: its id, and how to stop it. */

export interface RunningStatement {
  /** Starts another statement, with a new id. */
  next(): void
  /** The statement runs: from now on it can be stopped. */
  start(timeoutMs: number | undefined): void
  /** The statement has ended: a later cancel request does nothing. */
  finish(): void
  /** Stops the statement, if one runs. @returns whether one did. */
  cancel(): boolean
  readonly signal: () => AbortSignal
  readonly stoppedBy: () => 'client' | 'timeout' | undefined
  /** The id of the connection, and the number of the statement. */
  readonly correlationId: () => string
}

/** @param connectionId correlation id of the connection */
export function createRunningStatement(connectionId: string): RunningStatement {
  let controller = new AbortController()
  let stoppedBy: 'client' | 'timeout' | undefined
  let isRunning = false
  let count = 0
  let timer: NodeJS.Timeout | undefined

  const stop = (reason: 'client' | 'timeout') => {
    if (!isRunning) return
    stoppedBy ??= reason
    controller.abort()
  }
  const finish = () => {
    isRunning = false
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
  }

  return {
    next: () => {
      finish()
      stoppedBy = undefined
      count += 1
    },
    start: (timeoutMs) => {
      finish()
      if (controller.signal.aborted) controller = new AbortController()
      stoppedBy = undefined
      isRunning = true
      if (timeoutMs !== undefined) timer = setTimeout(stop, timeoutMs, 'timeout')
    },
    finish,
    cancel: () => {
      stop('client')
      return isRunning
    },
    signal: () => controller.signal,
    stoppedBy: () => stoppedBy,
    correlationId: () => `${connectionId}.${count}`,
  }
}
