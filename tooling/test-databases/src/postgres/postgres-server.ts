import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { reachableRoot } from '../fetch/fetched-programs.ts'
import { rootOf } from '../fetch/server-root.ts'
import { obtainPostgres } from '../obtain/obtain.ts'
import { writePrivateFile } from '../processes/private-file.ts'
import {
  type PreparedServer,
  type PrivateServer,
  type ServerHome,
  startPrivateServer,
} from '../processes/private-server.ts'

/** A private PostgreSQL; its URL names the database `postgres`, as superuser. */
export type PostgresServer = PrivateServer

/** Options of one server. */
export interface PostgresOptions {
  /** Server settings by name, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * Starts a private PostgreSQL: its own data directory, a free port, UTC, UTF-8 and code point order.
 *
 * @throws {Error} when this machine has none (see `obtainPostgres`) or it does not start.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { TEST_POSTGRES_URL: _, ...env } = process.env
  const source = obtainPostgres(env)
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
  return startPrivateServer({
    name: 'PostgreSQL',
    users: ['postgres', 'nobody'],
    portTaken: 'could not bind',
    signals: { crash: 'SIGQUIT', end: 'SIGINT' },
    prepare: (home) => prepare(directory, home, settings),
  })
}

function prepare(
  directory: string,
  home: ServerHome,
  settings: Readonly<Record<string, string>>,
): PreparedServer {
  const programs = reachablePrograms(directory, home)
  const password = randomBytes(16).toString('hex')
  initialise(programs, home, password)
  return {
    urlOf: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    command: (port) => ({
      path: join(programs, 'postgres'),
      arguments: [
        '-D',
        join(home.path, 'data'),
        ...Object.entries({ ...usualSettings, port: String(port), ...settings }).flatMap(
          ([name, value]) => ['-c', `${name}=${value}`],
        ),
      ],
      env: serverEnvironment(),
    }),
    greet,
  }
}

const usualSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** The programs, copied into `home` where the server's user cannot run the originals. */
function reachablePrograms(directory: string, home: ServerHome): string {
  const server = join(directory, 'postgres')
  if (rootOf(server) !== undefined) return dirname(reachableRoot(server, home)(server))
  const { path, user } = home
  const probe = spawnSync(server, ['--version'], { ...user, cwd: path })
  if (probe.status === 0) return directory
  const copy = join(path, 'programs')
  cpSync(dirname(directory), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

function initialise(programs: string, home: ServerHome, password: string): void {
  const { path, user } = home
  const passwordFile = writePrivateFile(join(home.path, 'password'), password, home)
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'
  const words = ['-D', join(path, 'data'), '-U', 'postgres', '--auth=scram-sha-256']
  words.push(`--pwfile=${passwordFile}`, '--encoding=UTF8', `--locale=${locale}`)
  words.push('--no-sync', '--no-instructions')
  const { status, stderr, error } = spawnSync(join(programs, 'initdb'), words, {
    ...user,
    cwd: path,
    env: serverEnvironment(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`initdb failed:\n${stderr}`, { cause: error })
}

async function greet(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  await client.end()
}

/** No variable of ours (PGPORT, PGOPTIONS, a locale) may reach the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}
