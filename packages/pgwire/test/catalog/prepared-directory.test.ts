import { createRequire } from 'node:module'
import { afterAll, expect, test } from 'vitest'
import { pgliteServerVersion } from '../../src/catalog/pglite/pglite-catalog.ts'
import { preparedDigest } from '../../src/catalog/pglite/prepared-database.ts'
import { askOne } from '../support/ask-catalog.ts'
import { openCatalog } from '../support/open-catalog.ts'

const { catalog } = openCatalog()
afterAll(() => catalog.close())

/** When one of these fails, run `pnpm prepare-catalog`. */
test('the data directory was made from the SQL that is here', async () => {
  expect(await askOne(catalog, `select obj_description('pg_catalog'::regnamespace)`)).toBe(
    `system catalog schema, prepared as ${preparedDigest()}`,
  )
})

test('the installed PGlite starts from the data directory', async () => {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = createRequire(main)('../package.json') as { version: string }
  expect(await askOne(catalog, 'values (version())')).toBe(
    `PostgreSQL ${pgliteServerVersion} (Engine, PGlite ${version})`,
  )
  expect(await askOne(catalog, 'show server_version')).toBe(pgliteServerVersion)
})
