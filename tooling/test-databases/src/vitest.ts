/** @module The servers of the whole run, for a test file. */
import { describe, expect, inject, test } from 'vitest'
import { createDatabase as createDatabaseOn } from './create-database.ts'
import { missingLibsql } from './libsql-server.ts'
import { createMysqlDatabase as createMysqlDatabaseOn } from './mysql/create-mysql-database.ts'
import { mysqlDdl } from './mysql/mysql-ddl.ts'
import { type MysqlOptions, type MysqlServer, startMysql } from './mysql/mysql-server.ts'
import { allMysqlVendors, type MysqlVendor, mysqlVendors } from './mysql/mysql-vendors.ts'
import { takeOnDemand } from './obtain/on-demand.ts'
import type { MissingServer } from './obtain/provision.ts'
import { missingRedis } from './redis/redis-server.ts'

/** The PostgreSQL of the run. */
export type ProvidedPostgres =
  | { readonly kind: 'running'; readonly url: string; readonly version: string }
  | MissingServer

/** A server that is started when its URL is first taken from `port`. */
export type ProvidedMysql = { readonly kind: 'available'; readonly port: number } | MissingServer

/** The newest PostgreSQL; `same`: the PostgreSQL of the run has its major version. */
export type ProvidedNewestPostgres =
  | { readonly kind: 'available'; readonly port: number; readonly version: string }
  | { readonly kind: 'same' }
  | MissingServer

declare module 'vitest' {
  interface ProvidedContext {
    /** The beginning of the names of all databases of the run. */
    databasePrefix: string
    postgres: ProvidedPostgres
    newestPostgres: ProvidedNewestPostgres
    /** URL of the run's PostgreSQL as superuser; undefined where there is none. */
    postgresUrl: string | undefined
    mysql: Readonly<Record<MysqlVendor, ProvidedMysql>>
  }
}

/** The MariaDB or the MySQL of a run. */
export interface MysqlOfRun {
  readonly vendor: MysqlVendor
  /** `MariaDB` or `MySQL`. */
  readonly name: string
  /** Collation of databases that name none. */
  readonly collation: string
  /**
   * Creates an empty, separate database, dropped when the run ends.
   *
   * @param name its purpose
   * @param collation of the database; by default the one that TEST_MYSQL_COLLATION names, or else the server's own
   * @returns its URL, with a user who has all rights
   */
  readonly createDatabase: (name: string, collation?: string) => Promise<string>
  /** Rewrites what MariaDB declares for this vendor, see `mysqlDdl`. */
  readonly ddl: (sql: string) => string
  /** Starts another server of the vendor, which the caller stops. */
  readonly start: (options?: MysqlOptions) => Promise<MysqlServer>
}

/**
 * A `describe` for tests that need PostgreSQL. Without one they are skipped, with the reason in the
 * name; where `CI` is `true` that is a failure, except for a server that would have been fetched from Debian's newer suite.
 */
export function describePostgres(name: string, tests: () => void): void {
  describeServer('PostgreSQL', inject('postgres'), name, tests)
}

/** A PostgreSQL of a run. */
export interface PostgresOfRun {
  /** `PostgreSQL 15` */
  readonly name: string
  /** Creates an empty, separate database, dropped when the run ends; returns its URL, as superuser. */
  readonly createDatabase: (name: string) => Promise<string>
}

/**
 * A `describe` for the PostgreSQL of the run and one for the newest PostgreSQL, named `<name> on PostgreSQL 15` and
 * `<name> on PostgreSQL 18`; one alone where both are the same.
 */
export function describeEachPostgres(name: string, tests: (server: PostgresOfRun) => void): void {
  const ofRun = inject('postgres')
  const nameOf = (version: string): string => `PostgreSQL ${version.split('.')[0]}`
  const own = ofRun.kind === 'running' ? nameOf(ofRun.version) : 'PostgreSQL'
  describePostgres(`${name} on ${own}`, () => tests({ name: own, createDatabase }))
  const newest = inject('newestPostgres')
  if (newest.kind === 'same') return
  const other = newest.kind === 'missing' ? 'the newest PostgreSQL' : nameOf(newest.version)
  describeServer(other, newest, `${name} on ${other}`, () =>
    tests({
      name: other,
      createDatabase: async (purpose) => {
        if (newest.kind === 'missing') throw new Error(newest.reason)
        const url = await takeOnDemand(newest.port)
        return createDatabaseOn(url, purpose, inject('databasePrefix'))
      },
    }),
  )
}

/** A `describe` for MariaDB and one for MySQL, named `<name> on MariaDB` and `<name> on MySQL`. */
export function describeEachMysql(name: string, tests: (server: MysqlOfRun) => void): void {
  for (const vendor of allMysqlVendors) {
    describeMysql(vendor, `${name} on ${mysqlVendors[vendor].name}`, tests)
  }
}

/** The same for tests of what one vendor alone has. */
export function describeMysql(
  vendor: MysqlVendor,
  name: string,
  tests: (server: MysqlOfRun) => void,
): void {
  const server = mysqlOfRun(vendor)
  describeServer(server.name, inject('mysql')[vendor], name, () => tests(server))
}

/** The same for tests that start a libSQL server of their own. */
export function describeLibsql(name: string, tests: () => void): void {
  const reason = missingLibsql()
  describeServer('libSQL', reason === undefined ? present : missing(reason), name, tests)
}

/** The same for tests that start a Redis or Valkey of their own. */
export function describeRedis(name: string, tests: () => void): void {
  const reason = missingRedis()
  describeServer('Redis', reason === undefined ? present : missing(reason), name, tests)
}

const present = { kind: 'present' } as const

function missing(reason: string): MissingServer {
  return { kind: 'missing', reason, isOptional: false }
}

function describeServer(
  server: string,
  provided: MissingServer | { readonly kind: 'running' | 'available' | 'present' },
  name: string,
  tests: () => void,
): void {
  if (provided.kind !== 'missing') {
    describe(name, tests)
  } else if (process.env['CI'] === 'true' && !provided.isOptional) {
    test(`${name} needs ${server}`, () => expect.unreachable(provided.reason))
  } else {
    describe.skipIf(true)(`${name} (skipped: ${provided.reason})`, tests)
  }
}

/**
 * An empty, separate PostgreSQL database, dropped when the run ends.
 *
 * @param name its purpose
 * @returns its URL, as superuser
 * @throws {Error} when there is no PostgreSQL: call it inside `describePostgres`.
 *
 * @example
 * describePostgres('introspection', () => {
 *   let url: string
 *   beforeAll(async () => {
 *     url = await createDatabase('introspection')
 *   })
 * })
 */
export async function createDatabase(name: string): Promise<string> {
  const postgres = inject('postgres')
  if (postgres.kind === 'missing') throw new Error(postgres.reason)
  return createDatabaseOn(postgres.url, name, inject('databasePrefix'))
}

/** The server of a vendor, for use inside its `describe`. */
export function mysqlOfRun(vendor: MysqlVendor): MysqlOfRun {
  const { name, collation } = mysqlVendors[vendor]
  return {
    vendor,
    name,
    collation: process.env['TEST_MYSQL_COLLATION'] ?? collation,
    ddl: (sql) => mysqlDdl(vendor, sql),
    start: (options) => startMysql(vendor, options),
    createDatabase: async (purpose, ofDatabase) => {
      const provided = inject('mysql')[vendor]
      if (provided.kind === 'missing') throw new Error(provided.reason)
      const url = await takeOnDemand(provided.port)
      return createMysqlDatabaseOn(url, purpose, inject('databasePrefix'), ofDatabase)
    },
  }
}
