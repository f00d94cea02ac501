/** @module Whether the service's tables are as they should be; while the server is unavailable, the attempts are repeated. */
import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import { createUnreachableNotice } from '../../runtime/databases/unreachable-notice.ts'
import type { Migration } from './store.ts'

export interface ReadinessOptions {
  readonly log: Log
  /** A server may be unavailable when the service starts; a file may not. */
  readonly isShared: boolean
  readonly migrate: (migrations: readonly Migration[]) => Promise<void>
}

export interface Readiness {
  /** Resolves when they are applied, or when the server is unavailable: then they are applied as soon as it answers. */
  migrate(migrations: readonly Migration[]): Promise<void>
  /** @throws {GatewayError} `unavailable` while migrations remain to be applied. */
  require(): void
  /** Resolves when no migration is left; rejects when they cannot be applied. */
  whenReady(): Promise<void>
  /** Makes no further attempts. */
  close(): void
}

/** Pause between attempts to reach the server, in milliseconds: doubled each time up to the second number. */
const pauseMs = { first: 250, last: 1_000 }

export function createReadiness(options: ReadinessOptions): Readiness {
  const { log, isShared } = options
  const about = { path: 'service_db' }
  const notice = createUnreachableNotice('the service database', about, log, () =>
    performance.now(),
  )
  /** Lists that will be applied when the server is reachable, in order. */
  let waiting: (readonly Migration[])[] = []
  let trying: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let giveUp: (() => void) | undefined

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      giveUp = resolve
      timer = setTimeout(resolve, milliseconds)
    })

  const keepTrying = async (): Promise<void> => {
    for (let wait = pauseMs.first; waiting.length > 0; wait = Math.min(wait * 2, pauseMs.last)) {
      await pause(wait)
      if (isClosed) throw notReady()
      try {
        for (let list = waiting[0]; list !== undefined; list = waiting[0]) {
          await options.migrate(list)
          waiting = waiting.slice(1)
        }
      } catch (err) {
        if (!isAway(err)) {
          log.error({ err }, 'the service database cannot be brought up to date')
          throw err
        }
        notice(err)
      }
    }
    trying = undefined
    log.info({}, 'the service database can be reached')
  }

  return {
    migrate: async (migrations) => {
      if (trying === undefined) {
        try {
          await options.migrate(migrations)
          return
        } catch (err) {
          if (!isShared || !isAway(err)) throw err
          notice(err)
        }
      }
      waiting.push(migrations)
      trying ??= keepTrying()
      // Callers learn of the failure from whenReady.
      trying.catch(() => undefined)
    },
    require: () => {
      if (trying !== undefined) throw notReady()
    },
    whenReady: async () => trying,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      giveUp?.()
    },
  }
}

function isAway(error: unknown): boolean {
  return error instanceof GatewayError && error.problem === 'unavailable'
}

function notReady(): GatewayError {
  return new GatewayError('unavailable', 'The service is not available at the moment.')
}
