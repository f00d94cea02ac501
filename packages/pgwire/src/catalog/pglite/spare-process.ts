/** @module An embedded PostgreSQL that is started before it is needed. */
import type { Log } from '@engine/core'
import type { PgliteProcess } from './pglite-process.ts'

export interface SpareProcess {
  /** Starts one, unless there is one. Never throws: a failure is logged, and `take` starts another one. */
  warm(): void
  /** The spare one, or a new one. @throws what starting a process throws. */
  take(): Promise<PgliteProcess>
  close(): Promise<void>
}

export interface SpareProcessOptions {
  readonly start: () => Promise<PgliteProcess>
  /** A process that is not taken for this long ends. */
  readonly idleMs: number
  readonly log: Log
}

export function createSpareProcess({ start, idleMs, log }: SpareProcessOptions): SpareProcess {
  let spare: Promise<PgliteProcess | undefined> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  const takeSpare = (): Promise<PgliteProcess | undefined> => {
    const taken = spare ?? Promise.resolve(undefined)
    spare = undefined
    clearTimeout(idleTimer)
    return taken
  }
  const end = async (): Promise<void> => {
    const server = await takeSpare()
    await server?.end()
  }

  return {
    warm: () => {
      if (spare !== undefined) return
      spare = start().catch((error: unknown) => {
        log.warn({ err: error }, 'an embedded PostgreSQL did not start in advance')
        return undefined
      })
      idleTimer = setTimeout(() => void end(), idleMs).unref()
    },
    take: async () => {
      const server = await takeSpare()
      return server?.isAlive() === true ? server : start()
    },
    close: end,
  }
}
