/** @module The end of a process that serves. */
import type { Log } from '@engine/core'
import type { RunningServer } from '../serve.ts'

/** Milliseconds for running requests to finish after SIGTERM. */
export const drainMs = 10_000

/** After this many more milliseconds the process ends, even if databases are not closed yet. */
export const closeMs = 10_000

/** Ends the process when the server has stopped: with 0, or with 1 when not everything could be closed in time. */
export function stopAndExit(
  server: Pick<RunningServer, 'stop'>,
  { log, stopDelayMs }: { readonly log: Log; readonly stopDelayMs: number },
): void {
  exitLater(log, stopDelayMs)
  exitAfter(server.stop(drainMs), log)
}

/** Ends the process with 1 when it should have ended long ago. */
export function exitLater(log: Log, stopDelayMs: number): void {
  setTimeout(
    () => {
      log.error({}, 'what is open did not close in time')
      process.exit(1)
    },
    stopDelayMs + drainMs + closeMs,
  ).unref()
}

export function exitAfter(stopped: Promise<void>, log: Log): void {
  stopped.then(
    () => process.exit(0),
    (err: unknown) => {
      log.error({ err }, 'not everything could be closed')
      process.exit(1)
    },
  )
}

/** An uncaught error leaves the process in an unknown state: it logs the error and ends. */
export function endOnBugs(log: Log): void {
  process.on('uncaughtException', (err, origin) => {
    log.error({ err, origin }, 'the process ends: an error was not caught')
    process.exit(1)
  })
}
