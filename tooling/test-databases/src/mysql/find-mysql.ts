import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type MysqlVendor, mysqlVendors, vendorOf } from './mysql-vendors.ts'

/** The programs of one installation. */
export interface MysqlPrograms {
  readonly vendor: MysqlVendor
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
 * Finds a server of a vendor: the one that TEST_MARIADB_URL or TEST_MYSQL_URL names, otherwise the programs in the
 * directory that TEST_MARIADB_BIN or TEST_MYSQL_BIN names, on the PATH, or in the usual places of distributions.
 */
export function findMysql(vendor: MysqlVendor, env: NodeJS.ProcessEnv = process.env): MysqlSource {
  const { name, urlVariable, binVariable, package: wanted } = mysqlVendors[vendor]
  const url = env[urlVariable]
  if (url) return { kind: 'url', url }
  const named = env[binVariable]
  const places = named ? [named] : usualPlaces(env)
  for (const place of places) {
    const programs = programsIn(place, places, vendor)
    if (programs !== undefined) return { kind: 'binaries', programs }
  }
  const reason = named
    ? `${binVariable} names ${named}, which has no working ${name}`
    : `no ${name}: set ${urlVariable} or install ${wanted}`
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
function programsIn(
  place: string,
  places: readonly string[],
  vendor: MysqlVendor,
): MysqlPrograms | undefined {
  const server = mysqlVendors[vendor].programs
    .map((name) => join(place, name))
    .find((path) => isServer(path, vendor))
  if (server === undefined || vendor === 'mysql') {
    return server === undefined ? undefined : { vendor, server, initialise: server }
  }
  const initialise = [place, join(place, '..', 'scripts'), ...places]
    .flatMap((each) => [join(each, 'mariadb-install-db'), join(each, 'mysql_install_db')])
    .find(existsSync)
  if (initialise === undefined) return undefined
  return { vendor, server: realpathSync(server), initialise: realpathSync(initialise) }
}

/** Returns whether a program is a server of that vendor; another that has its name does not print a version. */
function isServer(path: string, vendor: MysqlVendor): boolean {
  if (!existsSync(path)) return false
  const { status, stdout } = spawnSync(path, ['--no-defaults', '--version'], { encoding: 'utf8' })
  return status === 0 && /mysqld|mariadbd/.test(stdout) && vendorOf(stdout) === vendor
}
