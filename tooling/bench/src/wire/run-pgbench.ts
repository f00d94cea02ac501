import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** How pgbench sends its statements. */
export type QueryMode = 'simple' | 'extended' | 'prepared'

export interface PgbenchRun {
  /** With user, password and database. */
  readonly url: string
  /** File of the script. */
  readonly script: string
  readonly mode: QueryMode
  readonly clients: number
  readonly seconds: number
}

/** Why pgbench is not available on this machine; undefined where it is. */
export function missingPgbench(): string | undefined {
  return spawnSync('pgbench', ['--version']).status === 0
    ? undefined
    : 'no pgbench: install postgresql-contrib'
}

/**
 * Transactions per second, without the time to connect.
 *
 * @throws {Error} when a statement failed.
 */
export async function runPgbench(run: PgbenchRun): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(run.url)
  const words = [
    ...['-n', '-M', run.mode, '-c', String(run.clients), '-j', '2', '-T', String(run.seconds)],
    ...['-f', run.script, '-h', hostname, '-p', port, '-U', decodeURIComponent(username)],
    pathname.slice(1),
  ]
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(password), LC_ALL: 'C' }
  const { stdout, stderr } = await promisify(execFile)('pgbench', words, { env })
  const perSecond = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
  const failed = /number of failed transactions: ([1-9]\d*)/.exec(stdout)
  if (perSecond === undefined || failed !== null || /error/i.test(stderr)) {
    throw new Error(`pgbench failed:\n${stdout}\n${stderr}`)
  }
  return Number(perSecond)
}
