/** @module The programs of servers that were fetched. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { MysqlPrograms } from '../mysql/find-mysql.ts'
import type { MysqlVendor } from '../mysql/mysql-vendors.ts'
import type { ServerHome } from '../processes/private-server.ts'
import { copyTree } from './copy-tree.ts'
import { rootOf } from './server-root.ts'

/** @param root made by `fetchServers` */
export function mysqlProgramsOf(vendor: MysqlVendor, root: string): MysqlPrograms {
  if (vendor === 'mysql') {
    const server = join(root, 'usr/sbin/mysqld')
    return { vendor, server, initialise: server }
  }
  const server = join(root, 'usr/sbin/mariadbd')
  return { vendor, server, initialise: join(root, 'usr/bin/mariadb-install-db') }
}

/** The directory of `postgres` and `initdb`; `root` has one version. */
export function postgresProgramsOf(root: string): string {
  const versions = join(root, 'usr/lib/postgresql')
  const [version] = readdirSync(versions)
  if (version === undefined) throw new Error(`${versions} is empty`)
  return join(versions, version, 'bin')
}

/**
 * A function that gives the place of a program for the server's user: the same, or in a copy of its root below `home`
 * where that user cannot enter the root's own directory.
 *
 * @param server a program of the root that prints its version
 */
export function reachableRoot(
  server: string,
  { path, user }: ServerHome,
): (program: string) => string {
  const root = rootOf(server)
  const probe = spawnSync(server, ['--version'], { ...user, cwd: path })
  if (root === undefined || probe.status === 0) return (program) => program
  const copy = join(path, 'programs')
  if (!existsSync(copy)) copyTree(root, copy)
  return (program) => join(copy, relative(root, program))
}
