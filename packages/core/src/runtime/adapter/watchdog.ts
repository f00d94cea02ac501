/** Calls back when it was started and not stopped in time. */
export interface Watchdog {
  /** Starts, or restarts. @param afterMs milliseconds from now. */
  start(afterMs: number): void
  stop(): void
}

/** Started for every statement: its timer is refreshed instead of created again. It does not keep the process alive. */
export function createWatchdog(onLate: () => void): Watchdog {
  let timer: NodeJS.Timeout | undefined
  let timerMs: number | undefined
  let isRunning = false
  const ring = () => {
    timer = undefined
    if (isRunning) onLate()
  }
  return {
    start: (afterMs) => {
      isRunning = true
      if (timer !== undefined && timerMs === afterMs) {
        timer.refresh()
        return
      }
      clearTimeout(timer)
      timer = setTimeout(ring, afterMs).unref()
      timerMs = afterMs
    },
    stop: () => {
      isRunning = false
    },
  }
}
