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
import { createDatabase, createMysqlDatabase } from '@engine/test-databases/vitest'

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

/** The shop in a PostgreSQL database of its own, in the schema `main`; its URL. */
export async function createPostgresShop(
  name: string,
  options: PostgresFixtureOptions = {},
): Promise<string> {
  const url = await createDatabase(name)
  await createPostgresFixture(url, 'main', options)
  return url
}

/** The shop in a MariaDB or MySQL database of its own. */
export interface MysqlShop extends MysqlFixture {
  readonly url: string
}

export async function createMysqlShop(name: string, texts?: MysqlTexts): Promise<MysqlShop> {
  const url = await createMysqlDatabase(name)
  return { ...(await createMysqlFixture(url, texts)), url }
}
