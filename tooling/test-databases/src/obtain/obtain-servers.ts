import { type FetchedKind, fetchServers } from '../fetch/fetch-server.ts'
import { findMysql } from '../mysql/find-mysql.ts'
import { findRedis } from '../redis/find-redis.ts'
import { installPackage } from './install-package.ts'

/**
 * Installs and fetches the servers that tests need and this machine does not have, where both may be done (see
 * `installPackage` and `fetchServers`). The lists of the archive are read once for all.
 *
 * @throws {Error} when an installation fails.
 */
export function obtainServers(env: NodeJS.ProcessEnv = process.env): void {
  if (findRedis(env) === undefined) installPackage('redis-server', env)
  if (findMysql('mariadb', env).kind === 'missing') installPackage('mariadb-server', env)
  const kinds: FetchedKind[] = ['postgresql']
  if (findMysql('mysql', env).kind === 'missing') kinds.push('mysql')
  if (env['TEST_NEWEST'] === 'true') kinds.push('mariadb')
  fetchServers(kinds, env)
}
