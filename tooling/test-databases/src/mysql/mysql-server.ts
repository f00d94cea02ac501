import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { reachableRoot } from '../fetch/fetched-programs.ts'
import { obtainMysql } from '../obtain/obtain.ts'
import { writePrivateFile } from '../processes/private-file.ts'
import {
  type PreparedServer,
  type PrivateServer,
  type ServerHome,
  startPrivateServer,
} from '../processes/private-server.ts'
import type { MysqlPrograms } from './find-mysql.ts'
import { createMysqlData, mysqlEnvironment } from './mysql-data.ts'
import { type MysqlVendor, mysqlVendors } from './mysql-vendors.ts'

/** A private MariaDB or MySQL; its URL names no database, its user has all rights. */
export type MysqlServer = PrivateServer

/** Options of one server. */
export interface MysqlOptions {
  /** Server variables by name, as in `my.cnf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * Starts a private server of a vendor: its own data directory, a free port, UTC, utf8mb4 with the vendor's usual
 * collation, which ignores case.
 *
 * @throws {Error} when there is none (see `obtainMysql`) or it does not start.
 */
export async function startMysql(
  vendor: MysqlVendor,
  options: MysqlOptions = {},
): Promise<MysqlServer> {
  const { [mysqlVendors[vendor].urlVariable]: _, ...env } = process.env
  const source = obtainMysql(vendor, env)
  if (source.kind === 'binaries') return startMysqlFrom(source.programs, options)
  throw new Error(source.kind === 'missing' ? source.reason : 'only a program can be started')
}

/**
 * The same with given programs.
 *
 * @throws {Error} when it does not start.
 */
export async function startMysqlFrom(
  programs: MysqlPrograms,
  { settings = {} }: MysqlOptions = {},
): Promise<MysqlServer> {
  return startPrivateServer({
    name: mysqlVendors[programs.vendor].name,
    users: ['mysql', 'nobody'],
    portTaken: 'Address already in use',
    signals: { crash: 'SIGKILL', end: 'SIGTERM' },
    prepare: (home) => prepare(programs, home, settings),
  })
}

function prepare(
  found: MysqlPrograms,
  home: ServerHome,
  settings: Readonly<Record<string, string>>,
): PreparedServer {
  const placeOf = reachableRoot(found.server, home)
  const programs: MysqlPrograms = {
    vendor: found.vendor,
    server: placeOf(found.server),
    initialise: placeOf(found.initialise),
  }
  const password = randomBytes(16).toString('hex')
  const data = join(home.path, 'data')
  createMysqlData(found, programs, home, data, namesOfTables(settings))
  const accounts = writePrivateFile(
    join(home.path, 'accounts.sql'),
    accountsSql(password, programs.vendor),
    home,
  )
  return {
    urlOf: (port) => `mysql://engine:${password}@127.0.0.1:${port}/`,
    command: (port) => ({
      path: programs.server,
      arguments: [
        '--no-defaults',
        `--datadir=${data}`,
        `--socket=${join(home.path, 'socket')}`,
        // A server removes at its start the temporary tables of all servers that share the directory.
        `--tmpdir=${home.path}`,
        `--port=${port}`,
        `--init-file=${accounts}`,
        ...Object.entries({ ...settingsOf(programs.vendor), ...settings }).map(
          ([name, value]) => `--${name}=${value}`,
        ),
      ],
      env: mysqlEnvironment(),
    }),
    greet,
  }
}

/** Committed data is in the files of the operating system: it survives a crash of the server. */
const usualSettings: Readonly<Record<string, string>> = {
  'bind-address': '127.0.0.1',
  'skip-name-resolve': 'ON',
  'character-set-server': 'utf8mb4',
  'default-time-zone': '+00:00',
  'max-connections': '300',
  'innodb-flush-log-at-trx-commit': '2',
  'innodb-buffer-pool-size': '64M',
  'performance-schema': 'OFF',
  'skip-log-bin': 'ON',
}

function settingsOf(vendor: MysqlVendor): Readonly<Record<string, string>> {
  const collated = { ...usualSettings, 'collation-server': mysqlVendors[vendor].collation }
  // MySQL refuses to start without the directory of a distribution that it would read files from.
  return vendor === 'mysql' ? { ...collated, mysqlx: 'OFF', 'secure-file-priv': 'NULL' } : collated
}

/** Runs at each start. An application's account has no right to settings of a session that an administrator decides about. */
function accountsSql(password: string, vendor: MysqlVendor): string {
  const administration = 'super, system_variables_admin, session_variables_admin'
  return [
    `create user if not exists 'engine'@'127.0.0.1' identified by '${password}';`,
    "grant all privileges on *.* to 'engine'@'127.0.0.1' with grant option;",
    ...(vendor === 'mysql' ? [`revoke ${administration} on *.* from 'engine'@'127.0.0.1';`] : []),
    `alter user 'root'@'localhost' identified by '${password}';`,
    '',
  ].join('\n')
}

/** How names of tables are kept is decided when the data directory is made. */
function namesOfTables(settings: Readonly<Record<string, string>>): readonly string[] {
  const name = 'lower-case-table-names'
  return settings[name] === undefined ? [] : [`--${name}=${settings[name]}`]
}

async function greet(url: string): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: 5_000 })
  await connection.end()
}
