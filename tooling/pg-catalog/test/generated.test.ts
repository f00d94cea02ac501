import { readFile } from 'node:fs/promises'
import type {} from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { readCatalog, writeModules } from '../src/index.ts'

const directory = new URL(
  '../../../packages/core/src/compiler/sql-types/generated/',
  import.meta.url,
)

async function ask<T>(use: (client: Client) => Promise<T>): Promise<T | undefined> {
  const url = inject('postgresUrl')
  if (url === undefined) return undefined
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const version = await ask(async (client) => {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  return rows[0]?.version
})

describe.skipIf(version !== 15)(`the generated tables (PostgreSQL ${version ?? 'missing'})`, () => {
  test('are what a PostgreSQL 15 says', async () => {
    const records = await ask(readCatalog)
    if (records === undefined) throw new Error('no PostgreSQL')
    for (const [name, text] of writeModules(records)) {
      expect(await readFile(new URL(name, directory), 'utf8'), name).toBe(text)
    }
  })

  test('an entry of the allow-list that PostgreSQL does not know is an error', async () => {
    const records = await ask(readCatalog)
    if (records === undefined) throw new Error('no PostgreSQL')
    const functions = records.functions.filter(({ name }) => name !== 'lower')
    expect(() => writeModules({ ...records, functions })).toThrow('no such function: lower')
  })
})
