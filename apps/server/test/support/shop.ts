import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresFixture, createSqliteFixture, resetSqliteFixture } from '@engine/fixtures'
import { createDatabase } from '@engine/test-databases/vitest'

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
export async function createPostgresShop(name: string): Promise<string> {
  const url = await createDatabase(name)
  await createPostgresFixture(url)
  return url
}
