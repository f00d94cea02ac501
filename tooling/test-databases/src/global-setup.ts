/** @module Servers for a whole run of vitest: PostgreSQL from its start, MariaDB and MySQL when a test requests them. */
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { dropDatabases } from './create-database.ts'
import { dropMysqlDatabases } from './create-mysql-database.ts'
import { findMysql, type MysqlSource } from './find-mysql.ts'
import { findPostgres } from './find-postgres.ts'
import { findRedis } from './find-redis.ts'
import { installPackage } from './install-package.ts'
import { startMysqlFrom } from './mysql-server.ts'
import type { MysqlVendor } from './mysql-vendors.ts'
import { requireVendor } from './mysql-version.ts'
import { offerOnDemand } from './on-demand.ts'
import { startPostgresFrom } from './postgres-server.ts'
import type { ProvidedMysql, ProvidedPostgres } from './vitest.ts'

/** Vitest calls it before the first test, and its result after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const databasePrefix = `engine_test_${randomBytes(4).toString('hex')}_`
  if (findRedis() === undefined) installPackage('redis-server')
  const mariadb = await provideMysql('mariadb', databasePrefix)
  const mysql = await provideMysql('mysql', databasePrefix)
  project.provide('mysql', { mariadb: mariadb.provided, mysql: mysql.provided })
  const postgres = await providePostgres(databasePrefix)
  project.provide('postgres', postgres.provided)
  const url = postgres.provided.kind === 'running' ? postgres.provided.url : undefined
  project.provide('postgresUrl', url)
  return async () => {
    await Promise.all([postgres.stop(), mariadb.stop(), mysql.stop()])
  }
}

interface Provision<Provided> {
  readonly provided: Provided
  readonly stop: () => Promise<void>
}

async function providePostgres(databasePrefix: string): Promise<Provision<ProvidedPostgres>> {
  const source = findPostgres()
  switch (source.kind) {
    case 'url':
      return {
        provided: { kind: 'running', url: source.url, databasePrefix },
        stop: () => dropDatabases(source.url, databasePrefix),
      }
    case 'binaries': {
      const { url, stop } = await startPostgresFrom(source.directory)
      return { provided: { kind: 'running', url, databasePrefix }, stop }
    }
    case 'missing':
      return { provided: source, stop: async () => undefined }
  }
}

async function provideMysql(
  vendor: MysqlVendor,
  databasePrefix: string,
): Promise<Provision<ProvidedMysql>> {
  const found = findMysql(vendor)
  const source =
    found.kind === 'missing' && vendor === 'mariadb' && installPackage('mariadb-server')
      ? findMysql(vendor)
      : found
  if (source.kind === 'missing') return { provided: source, stop: async () => undefined }
  let stop = async (): Promise<void> => undefined
  const offer = await offerOnDemand(async () => {
    const started = await start(vendor, source, databasePrefix)
    stop = started.stop
    return started.url
  })
  return {
    provided: { kind: 'available', port: offer.port, databasePrefix },
    stop: async () => {
      offer.close()
      // A server that could not be started has already failed the tests that need it.
      await offer.made()?.catch(() => undefined)
      await stop()
    },
  }
}

async function start(
  vendor: MysqlVendor,
  source: Exclude<MysqlSource, { readonly kind: 'missing' }>,
  databasePrefix: string,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  if (source.kind === 'binaries') return startMysqlFrom(source.programs)
  await requireVendor(source.url, vendor)
  return { url: source.url, stop: () => dropMysqlDatabases(source.url, databasePrefix) }
}
