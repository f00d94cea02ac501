/**
 * @module Writes packages/core/src/compiler/sql-types/generated from a PostgreSQL 15.
 *
 * @example node tooling/pg-catalog/src/generate.ts postgres://postgres@127.0.0.1:5432/postgres
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readCatalog } from './read-catalog.ts'
import { writeModules } from './write-rows.ts'

const url = process.argv[2] ?? process.env.TEST_POSTGRES_URL
if (url === undefined) throw new Error('usage: generate.ts postgres://…')
const directory = new URL(
  '../../../packages/core/src/compiler/sql-types/generated/',
  import.meta.url,
)

const client = new pg.Client({ connectionString: url })
await client.connect()
try {
  const modules = writeModules(await readCatalog(client))
  await mkdir(directory, { recursive: true })
  for (const [name, text] of modules) {
    const file = new URL(name, directory)
    await writeFile(file, text)
    console.log(`${fileURLToPath(file)} ${text.length} bytes`)
  }
} finally {
  await client.end()
}
