import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous, createEngine, type Engine } from '@engine/core'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

/** Inside a subquery an aggregate or a window call would belong to another query. */
describe('around aggregates and window calls', () => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-level-'))
  let engine: Engine

  beforeAll(async () => {
    const url = join(directory, 'level.db')
    const database = new Database(url)
    database.exec(`
      create table words (id integer primary key, word text, size integer);
      insert into words values (1, 'b', 1), (2, 'a', null), (3, 'c', 5)`)
    database.close()
    engine = await createEngine(
      { connections: { main: { url } } },
      { adapters: { '@engine/adapters-sqlite': connect } },
    )
  })
  afterAll(async () => {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test.each([
    ['select greatest(max(size), 3), least(min(size), null, 0) from main.words', [[5, 0]]],
    ['select greatest(max(word)), least(max(word), $1) from main.words', [['c', 'b']], ['b']],
    // Trailing blanks do not count: the first of equal values.
    [
      `select least(v.a, v.b), least(v.b, v.a), greatest(v.a, v.b), greatest(v.b, v.a) from (values ('ab'::char(4), 'ab'::text), ('b', 'ab'), (null, 'x')) v(a, b)`,
      [
        ['ab  ', 'ab', 'ab  ', 'ab'],
        ['ab', 'ab', 'b', 'b'],
        ['x', 'x', 'x', 'x'],
      ],
    ],
    [
      'select greatest(max(word) over (), word) from main.words where id < 3 order by id',
      [['b'], ['b']],
    ],
    [
      'select max(size) > any(array[4, 9]), max(size) < all(array[6, null]) from main.words',
      [[true, null]],
    ],
    [
      'select 2 > all(array[row_number() over (order by id)]) from main.words order by id',
      [[true], [false], [false]],
    ],
    [
      'select 1 from main.words group by grouping sets ((word, size), (word), ()) having max(size) > 4',
      [[1], [1], [1]],
    ],
    ['select last_value(1) over (order by max(word)) from main.words having true', [[1]]],
    [
      "select regexp_split_to_array('xaby', '(a)(b)?'), regexp_split_to_array('', '(a)')",
      [[['x', 'y'], ['']]],
    ],
  ])('%s', async (sql, rows, params: readonly string[] = []) => {
    const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, anonymous)

    expect(JSON.parse(String(body))).toEqual({ rows })
  })

  test.each([
    'select max(size) <> all (select size from main.words), max(size) > all (select 1) from main.words',
    'select 2 > any (select 1), row_number() over (order by id) > any (select 1) from main.words',
  ])('ANY and ALL of a subquery are refused: %s', async (sql) => {
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const

    await expect(engine.query(request, anonymous)).rejects.toMatchObject({ status: 400 })
  })

  test('a list of more than four with an aggregate is refused', async () => {
    const sql = 'select greatest(max(size), 1, 2, 3, 4) from main.words'
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const

    await expect(engine.query(request, anonymous)).rejects.toMatchObject({ status: 400 })
  })
})
