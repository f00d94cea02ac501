/** @module Entry of the thread that loads files. `runLoader` starts it; it ends after the last file. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { signatureIfThere } from './file-signature.ts'
import { installTables } from './install-tables.ts'
import { LoadError } from './load-error.ts'
import type { LoadedTable, LoaderMessage, LoaderSetup, LoadJob } from './load-job.ts'
import { loadTable } from './load-table.ts'
import { dropTable } from './make-table.ts'

/** Size of the page cache, in kibibytes. */
const cacheKibibytes = 65_536

/** Minimum interval between progress messages. In milliseconds. */
const progressMs = 1_000

type Say = (message: LoaderMessage) => void

/**
 * The rows are first written into a separate database, through Node's SQLite, which inserts rows twice as fast as the
 * driver that serves them. The two must never open the same file: each would lose the other's locks.
 */
function load({ database, staging, dropped, jobs }: LoaderSetup, say: Say): void {
  try {
    const loaded = loadAll(staging, jobs, say)
    const installed = installTables(database, { staging, dropped, tables: loaded })
    for (const each of loaded) {
      const { table, path } = each
      say(
        installed.has(table) ? { kind: 'loaded', loaded: each } : { kind: 'changed', table, path },
      )
    }
  } finally {
    rmSync(staging, { force: true })
  }
  say({ kind: 'done' })
}

function loadAll(path: string, jobs: readonly LoadJob[], say: Say): readonly LoadedTable[] {
  const database = new DatabaseSync(path)
  try {
    // The content of the database is also in the files: no data has to survive a crash.
    database.exec('pragma synchronous = off')
    database.exec('pragma journal_mode = memory')
    database.exec(`pragma cache_size = -${cacheKibibytes}`)
    return jobs.flatMap((job) => loadJob(database, job, say) ?? [])
  } finally {
    database.close()
  }
}

function loadJob(database: DatabaseSync, job: LoadJob, say: Say): LoadedTable | undefined {
  const { table, path } = job
  const signature = signatureIfThere(path)
  if (signature === undefined) return undefined
  let saidAt = performance.now()
  const onProgress = (bytes: number, totalBytes: number): void => {
    if (performance.now() - saidAt < progressMs) return
    saidAt = performance.now()
    say({ kind: 'progress', table, bytes, totalBytes })
  }
  try {
    const loaded = loadTable(database, job, signature, onProgress)
    if (signatureIfThere(path) === signature) return loaded
    dropTable(database, table)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (signatureIfThere(path) === signature) {
      const isOfFile = error instanceof LoadError
      const reason = isOfFile ? error.message : `${path}: ${error.message}`
      say({ kind: 'failed', failure: { table, path, signature, reason, isOfFile } })
      return undefined
    }
  }
  say({ kind: 'changed', table, path })
  return undefined
}

if (parentPort !== null) {
  const port = parentPort
  load(workerData as LoaderSetup, (message) => port.postMessage(message))
}
