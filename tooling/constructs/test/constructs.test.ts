/** @module Every construct on every database: what is recorded, and so the page `docs/sql.md`, is what they answer. */
import { createDatabase, describePostgres, mysqlOfRun } from '@engine/test-databases/vitest'
import { expect, inject, test } from 'vitest'
import { type DatabaseName, databaseNames } from '../src/construct.ts'
import type { TriedDatabase, Truth } from '../src/open-databases.ts'
import { openMysql, openPostgres, openSqlite, openTruth } from '../src/open-databases.ts'
import { tryAll } from '../src/record.ts'
import { readRecording } from '../src/recording.ts'

describePostgres('constructs of PostgreSQL', () => {
  test('every database answers as recorded, or refuses; `pnpm record` writes it anew', async () => {
    const url = await createDatabase('constructs')
    const truth = await openTruth(url)
    const databases = await openAll(url, truth)
    try {
      const places = databases.map(({ name }) => databaseNames.indexOf(name))
      const expected = readRecording().map((each) => ({
        ...each,
        words: places.map((place) => each.words[place] ?? ''),
      }))
      const { recorded, wrong } = await tryAll(truth, databases, expected)
      expect(wrong).toEqual([])
      expect(recorded.length).toBeGreaterThan(2000)
      expect(differences(expected, recorded)).toEqual([])
    } finally {
      for (const database of databases) await database.close()
      await truth.close()
    }
  }, 300_000)
})

/** Servers that a machine does not have are left out: see `describeEachMysql`. */
async function openAll(url: string, truth: Truth): Promise<readonly TriedDatabase[]> {
  const opened: TriedDatabase[] = [await openPostgres(url, truth)]
  for (const vendor of ['mariadb', 'mysql'] as const) {
    if (inject('mysql')[vendor].kind === 'missing') continue
    const server = mysqlOfRun(vendor)
    const name = server.name as Extract<DatabaseName, 'MariaDB' | 'MySQL'>
    opened.push(await openMysql(name, await server.createDatabase('constructs')))
  }
  return [...opened, await openSqlite()]
}

function differences(
  expected: readonly { readonly id: string }[],
  found: readonly { readonly id: string }[],
): readonly string[] {
  const texts = new Map(expected.map((each) => [each.id, JSON.stringify(each)]))
  const others = found.map((each) => ({ id: each.id, text: JSON.stringify(each) }))
  return [
    ...others.filter(({ id, text }) => texts.get(id) !== text).map(({ text }) => text),
    ...expected.filter(({ id }) => !others.some((other) => other.id === id)).map(({ id }) => id),
  ]
}
