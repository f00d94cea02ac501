/** @module What a test file needs of the servers that serve the whole run. */
import { describe, expect, inject, test } from 'vitest'
import { createDatabase as createDatabaseOn } from './create-database.ts'
import { createMysqlDatabase as createMysqlDatabaseOn } from './create-mysql-database.ts'
import { missingLibsql } from './libsql-server.ts'
import { takeOnDemand } from './on-demand.ts'
import { missingRedis } from './redis-server.ts'

interface Missing {
  readonly kind: 'missing'
  readonly reason: string
}

/** What the run found out about PostgreSQL. */
export type ProvidedPostgres =
  | { readonly kind: 'running'; readonly url: string; readonly databasePrefix: string }
  | Missing

/** The same about MariaDB or MySQL, which is started when its URL is first taken from `port`. */
export type ProvidedMysql =
  | { readonly kind: 'available'; readonly port: number; readonly databasePrefix: string }
  | Missing

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ProvidedPostgres
    /** URL of the run's PostgreSQL as superuser; undefined where there is none. */
    postgresUrl: string | undefined
    mysql: ProvidedMysql
  }
}

/**
 * A `describe` for tests that need PostgreSQL. Without one they are skipped, with the reason in the
 * name; where `CI` is `true` that is a failure.
 */
export function describePostgres(name: string, tests: () => void): void {
  describeServer('PostgreSQL', inject('postgres'), name, tests)
}

/** The same for tests that need MariaDB or MySQL. */
export function describeMysql(name: string, tests: () => void): void {
  describeServer('MariaDB or MySQL', inject('mysql'), name, tests)
}

/** The same for tests that start a libSQL server of their own. */
export function describeLibsql(name: string, tests: () => void): void {
  const reason = missingLibsql()
  describeServer(
    'libSQL',
    reason === undefined ? present : { kind: 'missing', reason },
    name,
    tests,
  )
}

/** The same for tests that start a Redis or Valkey of their own. */
export function describeRedis(name: string, tests: () => void): void {
  const reason = missingRedis()
  describeServer('Redis', reason === undefined ? present : { kind: 'missing', reason }, name, tests)
}

const present = { kind: 'present' } as const

function describeServer(
  server: string,
  provided: ProvidedPostgres | ProvidedMysql | typeof present,
  name: string,
  tests: () => void,
): void {
  if (provided.kind !== 'missing') {
    describe(name, tests)
  } else if (process.env['CI'] === 'true') {
    test(`${name} needs ${server}`, () => expect.unreachable(provided.reason))
  } else {
    describe.skipIf(true)(`${name} (skipped: ${provided.reason})`, tests)
  }
}

/**
 * An empty PostgreSQL database of one's own, dropped when the run ends.
 *
 * @param name what it is for
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
  return createDatabaseOn(postgres.url, name, postgres.databasePrefix)
}

/**
 * An empty MariaDB or MySQL database of one's own, dropped when the run ends.
 *
 * @param name what it is for
 * @param collation of the database; what TEST_MYSQL_COLLATION names, or else the server's own, by default
 * @returns its URL, as a user who may do everything
 * @throws {Error} when there is no such server: call it inside `describeMysql`.
 */
export async function createMysqlDatabase(name: string, collation?: string): Promise<string> {
  const mysql = inject('mysql')
  if (mysql.kind === 'missing') throw new Error(mysql.reason)
  return createMysqlDatabaseOn(
    await takeOnDemand(mysql.port),
    name,
    mysql.databasePrefix,
    collation,
  )
}
