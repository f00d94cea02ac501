import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { writePrivateFile } from '../processes/private-file.ts'
import {
  type PreparedServer,
  type PrivateServer,
  type ServerHome,
  startPrivateServer,
} from '../processes/private-server.ts'

/** A private PgBouncer for a PostgreSQL; its URL has the user and password of that server. */
export interface PgbouncerServer extends PrivateServer {
  /** The same pooler in session mode: a client keeps its connection until it disconnects. */
  readonly sessionUrl: string
}

export interface PgbouncerOptions {
  /** The database that it connects to, with user and password. */
  readonly url: string
  /** Maximum connections to that database, for each of the two modes. */
  readonly poolSize: number
}

/** Why it is not available on this machine; undefined where it is. */
export function missingPgbouncer(): string | undefined {
  return programPath() === undefined ? 'no PgBouncer: install pgbouncer' : undefined
}

/**
 * Starts a private PgBouncer in transaction mode, and in session mode at `sessionUrl`.
 *
 * @throws {Error} when this machine has none (see `missingPgbouncer`) or it does not start.
 */
export async function startPgbouncer(options: PgbouncerOptions): Promise<PgbouncerServer> {
  const path = programPath()
  if (path === undefined) throw new Error(missingPgbouncer())
  const server = await startPrivateServer({
    name: 'PgBouncer',
    users: ['postgres', 'nobody'],
    portTaken: 'Address already in use',
    signals: { crash: 'SIGKILL', end: 'SIGTERM' },
    prepare: (home) => prepare(path, home, options),
  })
  return { ...server, sessionUrl: server.url.replace(/\/[^/]*$/, '/by_session') }
}

function prepare(path: string, home: ServerHome, options: PgbouncerOptions): PreparedServer {
  const { username, password, hostname, port: upstreamPort, pathname } = new URL(options.url)
  const upstream = `host=${hostname} port=${upstreamPort || 5432} dbname=${pathname.slice(1)}`
  const user = decodeURIComponent(username)
  const users = `${quoted(user)} ${quoted(decodeURIComponent(password))}\n`
  const usersFile = writePrivateFile(join(home.path, 'users.txt'), users, home)
  const configOf = (port: number): string =>
    [
      '[databases]',
      `by_transaction = ${upstream} pool_mode=transaction`,
      `by_session = ${upstream} pool_mode=session`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${usersFile}`,
      'max_client_conn = 2000',
      `default_pool_size = ${options.poolSize}`,
      'ignore_startup_parameters = extra_float_digits',
      'log_connections = 0',
      'log_disconnections = 0',
      '',
    ].join('\n')
  return {
    urlOf: (port) => `postgres://${username}:${password}@127.0.0.1:${port}/by_transaction`,
    command: (port) => ({
      path,
      arguments: [writePrivateFile(join(home.path, 'pgbouncer.ini'), configOf(port), home)],
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    }),
    greet,
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

const places = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

function programPath(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const path = (env['PATH'] ?? '').split(delimiter).filter((place) => place !== '')
  return [...path, ...places].map((place) => join(place, 'pgbouncer')).find(existsSync)
}

async function greet(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  await client.end()
}
