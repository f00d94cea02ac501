import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  readonly length: RunLength
}

/** Seconds include the time to connect. */
export type RunLength = { readonly seconds: number } | { readonly transactionsPerClient: number }

/** Why pgbench is not available on this machine; undefined where it is. */
export function missingPgbench(): string | undefined {
  return spawnSync('pgbench', ['--version']).status === 0
    ? undefined
    : 'no pgbench: install postgresql-contrib'
}

/** What pgbench has measured. */
export interface PgbenchResult {
  /** Transactions, without the time to connect. */
  readonly perSecond: number
  /** Of each transaction. */
  readonly latenciesUs: readonly number[]
}

/**
 * Transactions per second, without the time to connect.
 *
 * @throws {Error} when a statement failed.
 */
export async function runPgbench(run: PgbenchRun): Promise<number> {
  return perSecondOf(run, [])
}

/**
 * The same with all latencies: each takes a line in a file of pgbench.
 *
 * @throws {Error} when a statement failed.
 */
export async function measurePgbench(run: PgbenchRun): Promise<PgbenchResult> {
  const home = mkdtempSync(join(tmpdir(), 'engine-bench-pgbench-'))
  try {
    const perSecond = await perSecondOf(run, ['--log', `--log-prefix=${join(home, 'log')}`])
    const files = readdirSync(home).map((name) => readFileSync(join(home, name), 'utf8'))
    const lines = files.flatMap((text) => text.split('\n')).filter((line) => line !== '')
    // client, transaction, latency, script, time
    return { perSecond, latenciesUs: lines.map((line) => Number(line.split(' ')[2])) }
  } finally {
    rmSync(home, { recursive: true })
  }
}

async function perSecondOf(run: PgbenchRun, options: readonly string[]): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(run.url)
  const words = [
    ...['-n', '-M', run.mode, '-c', String(run.clients), '-j', '2', ...lengthWords(run.length)],
    ...['-f', run.script, '-h', hostname, '-p', port, '-U', decodeURIComponent(username)],
    ...options,
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

function lengthWords(length: RunLength): readonly string[] {
  return 'seconds' in length
    ? ['-T', String(length.seconds)]
    : ['-t', String(length.transactionsPerClient)]
}
