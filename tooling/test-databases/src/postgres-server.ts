import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findPostgres } from './find-postgres.ts'
import { freePort } from './free-port.ts'
import { type ServerProcess, startProcess, tailOf } from './server-process.ts'
import { type ServerUser, serverUser } from './server-user.ts'

/** A private PostgreSQL on the loopback interface. */
export interface PostgresServer {
  /** URL of its database `postgres`, as superuser. It stays the same over restarts. */
  readonly url: string
  /** Ends it as a crash would: connections break, nothing is written back. `restart` recovers. */
  readonly kill: () => Promise<void>
  /** Starts it again on the same port with the same data, ending it first if it runs. */
  readonly restart: () => Promise<void>
  /** Ends it for good and removes its files. */
  readonly stop: () => Promise<void>
}

/** What is particular to one server. */
export interface PostgresOptions {
  /** Server settings by name, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

const portAttempts = 5
const startTimeoutMs = 60_000

/**
 * Starts a private PostgreSQL: its own data directory, a free port, UTC, UTF-8 and code point order.
 *
 * @throws {Error} when this machine has none (see `findPostgres`) or it does not start.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { TEST_POSTGRES_URL: _, ...env } = process.env
  const source = findPostgres(env)
  if (source.kind === 'binaries') return startPostgresFrom(source.directory, options)
  throw new Error(source.kind === 'missing' ? source.reason : 'only a program can be started')
}

/**
 * The same with the programs in `directory`.
 *
 * @throws {Error} when it does not start.
 */
export async function startPostgresFrom(
  directory: string,
  { settings = {} }: PostgresOptions = {},
): Promise<PostgresServer> {
  const user = serverUser()
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'engine-postgres-'))
  const remove = (): void => rmSync(home, { recursive: true, force: true })
  try {
    if (user) chownSync(home, user.uid, user.gid)
    const programs = reachablePrograms(directory, home, user)
    const password = randomBytes(16).toString('hex')
    initialise(programs, home, user, password)
    const start = (port: number): Promise<ServerProcess> =>
      launch({ programs, home, user, settings, port, url: urlOf(port, password) })
    const { port, started } = await startOnFreePort(start)
    let running = started
    return {
      url: urlOf(port, password),
      kill: () => running.end('SIGQUIT'),
      restart: async () => {
        await running.end('SIGINT')
        running = await start(port)
      },
      stop: async () => {
        await running.end('SIGINT')
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

function urlOf(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

/** The programs, copied into `home` where the server's user cannot run them where they are. */
function reachablePrograms(directory: string, home: string, user: ServerUser | undefined): string {
  const probe = spawnSync(join(directory, 'postgres'), ['--version'], { ...user, cwd: home })
  if (probe.status === 0) return directory
  const copy = join(home, 'programs')
  cpSync(dirname(directory), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

function initialise(
  programs: string,
  home: string,
  user: ServerUser | undefined,
  password: string,
): void {
  const passwordFile = join(home, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'
  const words = ['-D', join(home, 'data'), '-U', 'postgres', '--auth=scram-sha-256']
  words.push(`--pwfile=${passwordFile}`, '--encoding=UTF8', `--locale=${locale}`)
  words.push('--no-sync', '--no-instructions')
  const { status, stderr, error } = spawnSync(join(programs, 'initdb'), words, {
    ...user,
    cwd: home,
    env: serverEnvironment(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`initdb failed:\n${stderr}`, { cause: error })
}

async function startOnFreePort(
  start: (port: number) => Promise<ServerProcess>,
): Promise<{ readonly port: number; readonly started: ServerProcess }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, started: await start(port) }
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('could not bind')
      if (!taken || attempt === portAttempts) throw error
    }
  }
}

interface Launch {
  readonly programs: string
  readonly home: string
  readonly user: ServerUser | undefined
  readonly settings: Readonly<Record<string, string>>
  readonly port: number
  readonly url: string
}

/** Starts the server and waits until it answers. */
async function launch(options: Launch): Promise<ServerProcess> {
  const { programs, home, user, port, url } = options
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '200',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  }
  const log = join(home, 'log')
  writeFileSync(log, '')
  const server = startProcess({
    path: join(programs, 'postgres'),
    arguments: [
      '-D',
      join(home, 'data'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    cwd: home,
    env: serverEnvironment(),
    user,
    log,
    endSignal: 'SIGINT',
  })
  const deadline = Date.now() + startTimeoutMs
  while (!(await answers(url))) {
    if (!server.isRunning()) throw new Error(`PostgreSQL ended at its start:\n${tailOf(log)}`)
    if (Date.now() > deadline) {
      await server.end('SIGQUIT')
      throw new Error(`PostgreSQL did not answer in ${startTimeoutMs} ms:\n${tailOf(log)}`)
    }
    await sleep(20)
  }
  return server
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    // Not yet: refused, or still starting up. The caller asks again until its deadline.
    return false
  }
}

/** Nothing of ours (PGPORT, PGOPTIONS, a locale) may reach the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}
