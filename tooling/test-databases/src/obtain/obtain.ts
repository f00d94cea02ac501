/** @module Sources of servers for tests: those of this machine, else those of Debian's newer suite. */

import { type FetchedServer, fetchServers } from '../fetch/fetch-server.ts'
import { mysqlProgramsOf, postgresProgramsOf } from '../fetch/fetched-programs.ts'
import { findMysql, type MysqlSource } from '../mysql/find-mysql.ts'
import { type MysqlVendor, mysqlVendors } from '../mysql/mysql-vendors.ts'
import { findPostgres, type PostgresSource } from '../postgres/find-postgres.ts'

/**
 * A server of a vendor: what `findMysql` finds, else one that is fetched. With TEST_NEWEST=true one that is fetched comes
 * before the programs of this machine.
 */
export function obtainMysql(
  vendor: MysqlVendor,
  env: NodeJS.ProcessEnv = process.env,
): MysqlSource {
  const { urlVariable, binVariable } = mysqlVendors[vendor]
  const isNamed = Boolean(env[urlVariable] || env[binVariable])
  const found = findMysql(vendor, env)
  const isWanted = env['TEST_NEWEST'] === 'true' || found.kind === 'missing'
  if (isNamed || !isWanted) return found
  const [fetched] = fetchServers([vendor], env)
  if (fetched?.kind === 'root') {
    return { kind: 'binaries', programs: mysqlProgramsOf(vendor, fetched.path) }
  }
  return found.kind === 'missing' ? missing(found.reason, fetched) : found
}

/** The newest PostgreSQL of Debian. */
export function obtainNewestPostgres(env: NodeJS.ProcessEnv = process.env): PostgresSource {
  const [fetched] = fetchServers(['postgresql'], env)
  if (fetched?.kind !== 'root') return missing('no newer PostgreSQL', fetched)
  return { kind: 'binaries', directory: postgresProgramsOf(fetched.path) }
}

/** The PostgreSQL of a run: what `findPostgres` finds, with TEST_NEWEST=true the newest of Debian instead. */
export function obtainPostgres(env: NodeJS.ProcessEnv = process.env): PostgresSource {
  const isNamed = Boolean(env['TEST_POSTGRES_URL'] || env['TEST_POSTGRES_BIN'])
  const newest = env['TEST_NEWEST'] === 'true' && !isNamed ? obtainNewestPostgres(env) : undefined
  return newest?.kind === 'binaries' ? newest : findPostgres(env)
}

function missing(
  reason: string,
  fetched: FetchedServer | undefined,
): { readonly kind: 'missing'; readonly reason: string } {
  const why = fetched?.kind === 'missing' ? `; ${fetched.reason}` : ''
  return { kind: 'missing', reason: `${reason}${why}` }
}
