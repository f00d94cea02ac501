import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous, createEngine, type Engine } from '@engine/core'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { compiled } from '../src/print/test-support/compiled-for-test.ts'

const most = 2n ** 63n - 1n
const least = -(2n ** 63n)

/** The values of each group; the sums of some are beyond 64 bits. */
const groups: Readonly<Record<string, readonly (bigint | null)[]>> = {
  zero: [0n],
  small: [1n, -2n, null, 3_000_000_000n],
  nulls: [null, null],
  most: [most],
  least: [least],
  edges: [most, least],
  'beyond and back': [most, 1n, -1n],
  unsafe: [2n ** 53n + 1n, 2n ** 53n + 1n],
  beyond: [most, most, 1n],
  below: [least, -1n, least],
}

const directory = mkdtempSync(join(tmpdir(), 'engine-sums-'))
const url = join(directory, 'sums.db')
let database: Database.Database
let engine: Engine

beforeAll(async () => {
  database = new Database(url)
  database.exec(`
    pragma journal_mode = wal;
    create table v (id integer primary key, g text not null, n bigint);
    create table odd (id integer primary key, g text not null, n bigint)`)
  const insert = database.prepare('insert into v (g, n) values (?, ?)')
  for (const [g, values] of Object.entries(groups)) for (const n of values) insert.run(g, n)
  database.exec('insert into odd (g, n) values (1, 1), (1, 2)')
  engine = await createEngine(
    { connections: { main: { url } } },
    { adapters: { '@engine/adapters-sqlite': connect } },
  )
})

afterAll(async () => {
  await engine.close()
  database.close()
  rmSync(directory, { recursive: true, force: true })
})

async function rowsOf(sql: string, params: readonly unknown[] = []): Promise<unknown> {
  const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
  const { body } = await engine.query(request, anonymous)
  return (JSON.parse(String(body)) as { readonly rows: unknown }).rows
}

function sumOf(values: readonly (bigint | null)[]): string | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : String(known.reduce((sum, value) => sum + value))
}

test.each(Object.entries(groups))('the sum of the group %s is exact', async (g, values) => {
  const row = [sumOf(values), String(values.length)]

  expect(await rowsOf('select sum(n), count(*) from main.v where g = $1', [g])).toEqual([row])
})

test('one sum beyond 64 bits leaves the sums of other groups as they are', async () => {
  const expected = Object.entries(groups)
    .map(([g, values]) => [g, sumOf(values)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
  // Runs on the workers first, then on the main thread.
  for (let run = 0; run < 20; run += 1) {
    expect(await rowsOf('select g, sum(n) from main.v group by g order by g')).toEqual(expected)
  }
})

test('sums are exact in averages, HAVING, ORDER BY, FILTER, DISTINCT, windows and subqueries', async () => {
  const beyond = sumOf(groups['beyond'] ?? [])
  expect(await rowsOf(`select avg(n) from main.v where g = 'beyond'`)).toEqual([
    ['6148914691236517205'],
  ])
  expect(
    await rowsOf(
      `select g from main.v group by g having sum(n) > 9223372036854775807 order by sum(n)`,
    ),
  ).toEqual([['beyond']])
  expect(
    await rowsOf(`select sum(n) filter (where g = 'beyond'), sum(distinct n) from main.v`),
  ).toEqual([[beyond, sumOf([...new Set(Object.values(groups).flat())])]])
  expect(
    await rowsOf(`select sum(n) over (order by id) from main.v where g = 'beyond' order by id`),
  ).toEqual([[String(most)], [String(2n * most)], [beyond]])
  expect(
    await rowsOf(
      `select (select sum(n) from main.v where g = o.g) from main.v o where g in ('beyond', 'below') order by 1`,
    ),
  ).toEqual([
    ...Array.from({ length: 3 }, () => [sumOf(groups['below'] ?? [])]),
    ...Array.from({ length: 3 }, () => [beyond]),
  ])
  expect(await rowsOf('select sum(n) from main.v where id < 0')).toEqual([[null]])
})

test('an error of the statement itself stays one', async () => {
  await expect(rowsOf('select sum(n), max(id) * 2000000000 from main.v')).rejects.toMatchObject({
    problem: 'dataError',
  })
})

test('values that are no integers are added as they are', async () => {
  const sum = 'select sum(n), avg(n) from main.odd group by g'
  expect(await rowsOf(sum)).toEqual([['3', '1.5000000000000000']])

  database.exec('insert into odd (g, n) values (1, 0.1), (1, 0.2)')
  expect(await rowsOf(sum)).toEqual([['3.3', '0.82500000000000000000']])

  database.exec(`insert into odd (g, n) values (1, 'some text')`)
  await expect(rowsOf(sum)).rejects.toThrow()
})

test('the exact form takes the same values', async () => {
  const text = `select sum(n::bigint) filter (where n > $1) from main.part where id < $2`
  const { steps, hints } = await compiled(text, undefined, [1, 2])

  expect(steps[0]?.sql).toContain('int_total(sum(')
  expect(hints?.['exactSql']).toBe(
    steps[0]?.sql?.replace(/int_total\((sum\(.*?\) filter \(.*?\))\)/, 'dec_$1'),
  )
})
