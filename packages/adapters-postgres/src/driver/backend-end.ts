/**
 * @module Waits for the end of a backend whose connection was given up. While PostgreSQL plans a statement it looks neither at time limits
 * nor at its connection: the work goes on, and new connections would add to it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@engine/core/adapter'
import { askOnce } from './own-connection.ts'

/** One process of the server; a later one may have the same `pid`. */
export interface Backend {
  readonly pid: number
  /** `backend_start` of pg_stat_activity, as text in UTC; null where the server does not list it: its end is not known. */
  readonly startedAt: string | null
}

/** Interval between two looks, in milliseconds. */
const intervalMs = 1_000

/** Looks in a row that fail before the server counts as gone, and its backends with it. */
const mostFailures = 10

/** Time limit of a look, in milliseconds. */
const timeoutMs = 2_000

/**
 * Ends the backend, and resolves when the server has it no more, or cannot be asked for a while. Never rejects.
 *
 * @param signal stops the wait.
 */
export async function backendEnd(
  url: string,
  backend: Backend,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  if (backend.startedAt === null) return
  let failures = 0
  for (let looks = 1; !signal.aborted; looks += 1) {
    try {
      if (!(await terminate(url, backend))) return
      failures = 0
      const { pid } = backend
      const text =
        'a statement goes on after its connection was given up; the connection counts as busy until it ends'
      if (looks === 2) log.warn({ pid }, text)
    } catch (err) {
      failures += 1
      log.debug({ err }, 'the end of a database connection is not known')
      if (failures === mostFailures) return
    }
    await sleep(intervalMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Returns whether there was such a backend. */
async function terminate(url: string, { pid, startedAt }: Backend): Promise<boolean> {
  const text = `select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
    where pid = $1 and backend_start = $2::pg_catalog.timestamptz`
  const { rows } = await askOnce(url, text, [pid, startedAt], timeoutMs)
  return rows.length > 0
}
