import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createMysqlFixture,
  createPostgresFixture,
  createSqliteFixture,
  type MysqlFixture,
  type MysqlTexts,
  type PostgresFixtureOptions,
  resetSqliteFixture,
} from '@engine/fixtures'
import { createDatabase, type MysqlOfRun, type PostgresOfRun } from '@engine/test-databases/vitest'

/** The shop in a SQLite file of its own. */
export interface SqliteShop {
  readonly path: string
  reset(): void
  remove(): void
}

export function createSqliteShop(): SqliteShop {
  const folder = mkdtempSync(join(tmpdir(), 'engine-shop-'))
  const path = join(folder, 'shop.db')
  createSqliteFixture(path)
  return {
    path,
    reset: () => resetSqliteFixture(path),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * The shop in a PostgreSQL database of its own, in the schema `main`; its URL.
 *
 * @param options `server` is the PostgreSQL of the run by default
 */
export async function createPostgresShop(
  name: string,
  { server, ...options }: PostgresFixtureOptions & { readonly server?: PostgresOfRun } = {},
): Promise<string> {
  const url = await (server?.createDatabase ?? createDatabase)(name)
  await createPostgresFixture(url, 'main', options)
  return url
}

/** The shop in a MariaDB or MySQL database of its own. */
export interface MysqlShop extends MysqlFixture {
  readonly url: string
}

export async function createMysqlShop(
  server: MysqlOfRun,
  name: string,
  texts?: MysqlTexts,
): Promise<MysqlShop> {
  const url = await server.createDatabase(name)
  return { ...(await createMysqlFixture(url, texts)), url }
}
