/**
 * @module Servers for a whole run of vitest: PostgreSQL from its start; MariaDB, MySQL and a newer PostgreSQL when a test
 * requests them.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { dropDatabases } from './create-database.ts'
import { dropMysqlDatabases } from './mysql/create-mysql-database.ts'
import { startMysqlFrom } from './mysql/mysql-server.ts'
import { type MysqlVendor, mysqlVendors } from './mysql/mysql-vendors.ts'
import { mysqlVersion, requireVendor } from './mysql/mysql-version.ts'
import { obtainMysql, obtainNewestPostgres, obtainPostgres } from './obtain/obtain.ts'
import { obtainServers } from './obtain/obtain-servers.ts'
import {
  type MissingServer,
  type Provision,
  provideMissing,
  provideOnDemand,
  type StartedServer,
} from './obtain/provision.ts'
import { startPostgresFrom } from './postgres/postgres-server.ts'
import { postgresVersion } from './postgres/postgres-version.ts'
import { extents, writeServersOfRun } from './processes/servers-of-run.ts'
import type { ProvidedMysql, ProvidedNewestPostgres, ProvidedPostgres } from './vitest.ts'

/** With TEST_NEWEST only what compares versions runs, see `pnpm nightly`. */
const usual = process.env['TEST_NEWEST'] === 'true' ? extents.comparing : extents.all

/** Vitest calls it before the first test, and its result after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const databasePrefix = `engine_test_${randomBytes(4).toString('hex')}_`
  obtainServers()
  const mariadb = await provideMysql('mariadb', databasePrefix)
  const mysql = await provideMysql('mysql', databasePrefix)
  const postgres = await providePostgres(databasePrefix)
  const newest = await provideNewestPostgres(postgres.provided)
  project.provide('databasePrefix', databasePrefix)
  project.provide('mysql', { mariadb: mariadb.provided, mysql: mysql.provided })
  project.provide('postgres', postgres.provided)
  project.provide('newestPostgres', newest.provided)
  const url = postgres.provided.kind === 'running' ? postgres.provided.url : undefined
  project.provide('postgresUrl', url)
  const all = [postgres, newest, mariadb, mysql]
  return async () => {
    writeServersOfRun(all.flatMap(({ ofRun }) => ofRun() ?? []))
    await Promise.all(all.map(({ stop }) => stop()))
  }
}

async function providePostgres(databasePrefix: string): Promise<Provision<ProvidedPostgres>> {
  const source = obtainPostgres()
  if (source.kind === 'missing') {
    return provideMissing('PostgreSQL', { ...source, isOptional: false })
  }
  const { url, stop } =
    source.kind === 'url'
      ? { url: source.url, stop: () => dropDatabases(source.url, databasePrefix) }
      : await startPostgresFrom(source.directory)
  const version = await postgresVersion(url)
  return {
    provided: { kind: 'running', url, version },
    ofRun: () => ({ name: 'PostgreSQL', version, tests: usual }),
    stop,
  }
}

async function provideNewestPostgres(
  ofRun: ProvidedPostgres,
): Promise<Provision<ProvidedNewestPostgres>> {
  const source = obtainNewestPostgres()
  if (source.kind !== 'binaries') {
    const reason = source.kind === 'missing' ? source.reason : ''
    return provideMissing('the newest PostgreSQL', { kind: 'missing', reason, isOptional: true })
  }
  const program = join(source.directory, 'postgres')
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  const version = /\d+(\.\d+)?/.exec(stdout)?.[0] ?? ''
  if (ofRun.kind === 'running' && majorOf(ofRun.version) === majorOf(version)) {
    return {
      provided: { kind: 'same' },
      ofRun: () => undefined,
      stop: async () => undefined,
    }
  }
  const { provided, ...rest } = await provideOnDemand(
    { name: 'PostgreSQL', tests: extents.comparing },
    async () => ({
      ...(await startPostgresFrom(source.directory)),
      version,
    }),
  )
  return { ...rest, provided: { ...provided, version } }
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? ''
}

async function provideMysql(
  vendor: MysqlVendor,
  databasePrefix: string,
): Promise<Provision<ProvidedMysql | MissingServer>> {
  const { name } = mysqlVendors[vendor]
  const source = obtainMysql(vendor)
  if (source.kind === 'missing') {
    return provideMissing(name, { ...source, isOptional: vendor === 'mysql' })
  }
  return provideOnDemand({ name, tests: usual }, async (): Promise<StartedServer> => {
    if (source.kind === 'binaries') {
      const { url, stop } = await startMysqlFrom(source.programs)
      return { url, version: plain(await mysqlVersion(url)), stop }
    }
    await requireVendor(source.url, vendor)
    const stop = () => dropMysqlDatabases(source.url, databasePrefix)
    return { url: source.url, version: plain(await mysqlVersion(source.url)), stop }
  })
}

/** `10.11.14-MariaDB-0+deb12u2`: `10.11.14` */
function plain(version: string): string {
  return version.split('-')[0] ?? version
}
