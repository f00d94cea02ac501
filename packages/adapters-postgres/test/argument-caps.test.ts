import { admin, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

describePostgres('functions that could produce too much', () => {
  let engine: Engine

  beforeAll(async () => {
    const url = await createDatabase('argument_caps')
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table words (id int primary key, word text, size int);
      insert into words values (1, 'ab', 3), (2, null, 3), (3, 'x', null), (4, '', 5), (5, 'y', -2);
    `)
    await client.end()
    engine = await createEngine(
      { connections: { main: url } },
      { adapters: { '@engine/adapters-postgres': connect } },
    )
  })
  afterAll(() => engine.close())

  async function rows(sql: string, params: readonly unknown[] = []): Promise<unknown> {
    const request = { sql, params, method: 'all', meta: true, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    return JSON.parse(String(body)).rows
  }

  async function failure(sql: string, params: readonly unknown[] = []): Promise<string> {
    try {
      await rows(sql, params)
    } catch (error) {
      if (error instanceof GatewayError) return `${error.problem} ${error.sqlState}`
      throw error
    }
    return 'none'
  }

  test('give what PostgreSQL gives', async () => {
    const texts = 'repeat(word, size), lpad(word, size), rpad(word, size, word)'
    expect(await rows(`select id, ${texts} from main.words order by id`)).toEqual([
      [1, 'ababab', ' ab', 'aba'],
      [2, null, null, null],
      [3, null, null, null],
      [4, '', '     ', ''],
      [5, '', '', ''],
    ])
    expect(await rows(`select repeat('*', count(*)::int) from main.words`)).toEqual([['*****']])
    expect(await rows(`select repeat(repeat('-', $1), $2)`, [2, 3])).toEqual([['------']])
  })

  test('refuse texts that are too long before they make them', async () => {
    expect(await failure(`select repeat('ab', $1)`, [5_000_001])).toBe('limitExceeded 54000')
    expect(await failure(`select length(repeat('ab', $1))`, [2_147_483_647])).toBe(
      'limitExceeded 54000',
    )
    expect(await failure(`select lpad('ab', $1)`, [10_000_001])).toBe('limitExceeded 54000')
    expect(await failure(`select rpad(word, $1, 'x') from main.words`, [2_000_000_000])).toBe(
      'limitExceeded 54000',
    )
    expect(await failure(`select length(repeat(repeat(repeat('x', 1000), 1000), 1000))`)).toBe(
      'limitExceeded 54000',
    )
    expect(await rows(`select length(repeat('ab', $1))`, [5_000_000])).toEqual([[10_000_000]])
  })

  test('refuse only the rows that ask for too much', async () => {
    const sql = `select id, case when id < $1 then length(repeat(word, id * $2)) end
      from main.words where id in (1, 5) order by id`
    expect(await rows(sql, [2, 5_000_000])).toEqual([
      [1, 10_000_000],
      [5, null],
    ])
    expect(await failure(sql, [6, 5_000_000])).toBe('limitExceeded 54000')
  })

  test('refuse series that are too long before they begin', async () => {
    const series = (bounds: string) => `select count(*) from generate_series(${bounds}) g`
    expect(await rows(series('1, $1::int'), [1_000_000])).toEqual([['1000000']])
    expect(await failure(series('1, $1::int'), [1_000_001])).toBe('limitExceeded 54000')
    expect(await failure(series('$1::int, 1, -1'), [1_000_001])).toBe('limitExceeded 54000')
    expect(await failure(series('0, 1, $1::numeric'), ['0.0000001'])).toBe('limitExceeded 54000')
    expect(
      await failure(series('1, (select max(size) from main.words) * 1000000000::bigint')),
    ).toBe('limitExceeded 54000')
    const moments = `'2020-01-01'::timestamp, '2021-01-01', '1 second'`
    expect(await failure(series(moments))).toBe('limitExceeded 54000')
    expect(await failure(`select generate_series(1, $1::int) limit 3`, [2_000_000_000])).toBe(
      'limitExceeded 54000',
    )
    expect(await failure(series(`now(), 'infinity', '1 day'`))).toMatch(
      /^(dataError|limitExceeded)/,
    )
  })

  test('leave NaN and infinities in a series to PostgreSQL', async () => {
    const series = (bounds: string) => `select count(*) from generate_series(${bounds}) g`
    expect(await failure(series(`0, 'inf'::numeric, 10`))).toBe('dataError 22023')
    expect(await failure(series(`0, 10, $1::numeric`), ['NaN'])).toBe('dataError 22023')
    expect(await failure(series(`0, -(-9e131071), 10`))).toBe('limitExceeded 54000')
    expect(await failure(series(`0, 9e131071, 10`))).toBe('limitExceeded 54000')
  })

  test('refuse search queries that would grow with each rewriting', async () => {
    const rewritten = (query: string) =>
      `ts_rewrite(${query}, 'a', 'a & a & a & a & a & a & a & a & a & a')`
    const nested = (depth: number): string => (depth === 0 ? "'a'" : rewritten(nested(depth - 1)))
    expect(await rows(`select numnode(${nested(3)}::tsquery)`)).toEqual([[1999]])
    expect(await failure(`select numnode(${nested(7)}::tsquery)`)).toMatch(/^limitExceeded/)
    expect(
      await failure(`select ts_rewrite(q, 'a', q) from (values ($1::tsquery)) v(q)`, [
        Array.from({ length: 400 }, () => 'a').join('&'),
      ]),
    ).toBe('limitExceeded 54000')
    expect(
      await rows(`select ts_rewrite(word::tsquery, 'ab', 'c | d'), ts_rewrite(null, 'a', 'b')
        from main.words where id < 4 order by id`),
    ).toEqual([
      ["'c' | 'd'", null],
      [null, null],
      ["'x'", null],
    ])
  })

  test('give the series that PostgreSQL gives', async () => {
    const sql = `select w.id, g.n, g.o from main.words w,
      generate_series(w.id, w.size) with ordinality as g(n, o) order by 1, 2`
    expect(await rows(sql)).toEqual([
      [1, 1, '1'],
      [1, 2, '2'],
      [1, 3, '3'],
      [2, 2, '1'],
      [2, 3, '2'],
      [4, 4, '1'],
      [4, 5, '2'],
    ])
    expect(await rows('select generate_series(1, max(size), 2) from main.words')).toEqual([
      [1],
      [3],
      [5],
    ])
    const days = `select g::date from generate_series($1::timestamp, $2, '1 day') g`
    expect(await rows(days, ['2024-02-28', '2024-03-01'])).toEqual([
      ['2024-02-28'],
      ['2024-02-29'],
      ['2024-03-01'],
    ])
    expect(await failure('select * from generate_series(1, $1::int, $2::int)', [5, 0])).toBe(
      'dataError 22023',
    )
  })

  test('refuse series of timestamps that have no end, and give the others', async () => {
    const series = (first: string, last: string, step: string) =>
      `select count(*) from generate_series(timestamp '${first}', '${last}', interval '${step}')`
    for (const [first, last, step] of [
      ['2024-01-01', 'infinity', '1 month'],
      ['2024-01-01', '-infinity', '-1 day'],
      ['-infinity', '2024-01-01', '1 day'],
      ['infinity', 'infinity', '1 day'],
      ['infinity', 'infinity', '-1 day'],
    ] as const) {
      expect(await failure(series(first, last, step))).toBe('limitExceeded 54000')
    }
    expect(await rows(series('2024-01-01', 'infinity', '-1 day'))).toEqual([['0']])
    expect(await rows(series('2024-01-01', '2024-03-01', '1 month'))).toEqual([['3']])
    const none = `select count(*) from main.words, generate_series(null::timestamp, 'infinity', '1 day')`
    expect(await rows(none)).toEqual([['0']])
  })
})
