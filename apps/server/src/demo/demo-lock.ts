/** @module One server at a time uses the files of the demo. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { wrongArgument } from '../command-line/outcome.ts'

/** Milliseconds for a server that is stopping. */
const patienceMs = 1_000

/** Keeps them from garbage collection, which would close them. */
const held: Database.Database[] = []

/**
 * Holds the folder until this process ends, however it ends: the operating system releases the lock of a SQLite file with the
 * process.
 *
 * @throws {GatewayError} `invalidConfiguration` while another process holds it.
 */
export function holdDemoFolder(folder: string): void {
  const lock = new Database(join(folder, 'demo.lock'), { timeout: patienceMs })
  try {
    lock.exec('begin exclusive')
    held.push(lock)
  } catch (error) {
    lock.close()
    if ((error as { readonly code?: unknown }).code !== 'SQLITE_BUSY') throw error
    throw wrongArgument(
      `Another server serves the demo of ${folder}, and its files are not shared. Use that one, stop it first, or serve a configuration of your own with --config.`,
    )
  }
}
