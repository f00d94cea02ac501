import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The family of servers that a program belongs to. */
export type MysqlFlavor = 'mariadb' | 'mysql'

/** The programs of one installation. */
export interface MysqlPrograms {
  readonly flavor: MysqlFlavor
  /** Path of `mariadbd` or `mysqld`. */
  readonly server: string
  /** Path of the program that creates a data directory; with MySQL the server does it itself. */
  readonly initialise: string
}

/** The source of a MariaDB or MySQL for tests. */
export type MysqlSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'binaries'; readonly programs: MysqlPrograms }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * Finds a MariaDB or MySQL: the server that TEST_MYSQL_URL names, otherwise the programs in the directory that
 * TEST_MYSQL_BIN names, on the PATH, or in the usual places of distributions.
 */
export function findMysql(env: NodeJS.ProcessEnv = process.env): MysqlSource {
  const url = env['TEST_MYSQL_URL']
  if (url) return { kind: 'url', url }
  const named = env['TEST_MYSQL_BIN']
  const places = named ? [named] : usualPlaces(env)
  for (const place of places) {
    const programs = programsIn(place, places)
    if (programs !== undefined) return { kind: 'binaries', programs }
  }
  const reason = named
    ? `TEST_MYSQL_BIN names ${named}, which has no working mariadbd or mysqld`
    : 'no MariaDB or MySQL: set TEST_MYSQL_URL or install mariadb-server'
  return { kind: 'missing', reason }
}

function usualPlaces(env: NodeJS.ProcessEnv): readonly string[] {
  return [
    ...(env['PATH'] ?? '').split(delimiter).filter((place) => place !== ''),
    '/usr/sbin',
    '/usr/bin',
    '/usr/libexec',
    '/usr/local/mysql/bin',
    '/opt/homebrew/opt/mariadb/bin',
    '/opt/homebrew/opt/mysql/bin',
  ]
}

/** The programs of a MariaDB are searched in all `places`: distributions install them in two. */
function programsIn(place: string, places: readonly string[]): MysqlPrograms | undefined {
  const server = ['mariadbd', 'mysqld'].map((name) => join(place, name)).find(existsSync)
  if (server === undefined) return undefined
  const { status, stdout } = spawnSync(server, ['--no-defaults', '--version'], { encoding: 'utf8' })
  if (status !== 0) return undefined
  if (!stdout.includes('MariaDB')) {
    return stdout.includes('mysqld') ? { flavor: 'mysql', server, initialise: server } : undefined
  }
  const initialise = [place, join(place, '..', 'scripts'), ...places]
    .flatMap((each) => [join(each, 'mariadb-install-db'), join(each, 'mysql_install_db')])
    .find(existsSync)
  if (initialise === undefined) return undefined
  return { flavor: 'mariadb', server: realpathSync(server), initialise: realpathSync(initialise) }
}
