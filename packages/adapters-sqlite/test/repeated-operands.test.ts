import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous, createEngine, type Engine } from '@engine/core'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

/** `wrap(wrap(… seed …))` */
function nested(seed: string, depth: number, wrap: (inner: string) => string): string {
  let expression = seed
  for (let level = 0; level < depth; level += 1) expression = wrap(expression)
  return expression
}

/** A value that a translation needs several times is computed once, in its own row and query. */
describe('operands that are needed several times', () => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-repeated-'))
  let engine: Engine

  beforeAll(async () => {
    const url = join(directory, 'repeated.db')
    const database = new Database(url)
    database.exec(`
      create table items (id integer primary key, size integer, price decimal(10, 2), factor double precision);
      insert into items values (1, 3, 1.50, 0.5), (2, 4, 2.25, 0.25), (3, null, null, null)`)
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

  const rowsOf = async (sql: string) => {
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    const [result] = [await engine.query(request, anonymous)]
    const { body } = result
    return (JSON.parse(Buffer.from(body).toString()) as { readonly rows: unknown }).rows
  }

  test.each([
    ['NULLIF', nested('size', 30, (x) => `nullif(${x}, 4)`), [[3], [null], [null]]],
    [
      'NULLIF of numerics',
      nested('price', 30, (x) => `nullif(${x}, 2.25)`),
      [['1.50'], [null], [null]],
    ],
    ['a function with a domain', nested('factor', 30, (x) => `sin(${x}) * 0`), [[0], [0], [null]]],
    ['powers', nested('factor', 30, (x) => `power(${x}, 1)`), [[0.5], [0.25], [null]]],
    [
      'ALL of an array',
      nested('size > 3', 20, (x) => `(${x}) = all(array[size > 3])`),
      [[false], [true], [null]],
    ],
    [
      'ANY of a long array',
      nested('size', 20, (x) => `case when ${x} < any(array[size, 9]) then size end`),
      [[3], [4], [null]],
    ],
  ])('%s inside each other', async (_, expression, expected) => {
    expect(await rowsOf(`select ${expression} from main.items order by id`)).toEqual(expected)
  })

  test('around aggregates and window calls', async () => {
    const total = nested('sum(size) + count(*)', 20, (x) => `nullif(${x}, 1)`)
    expect(await rowsOf(`select ${total} from main.items`)).toEqual([['10']])
    const running = nested('sum(size) over (order by id)', 20, (x) => `nullif(${x}, 1)`)
    expect(await rowsOf(`select ${running} from main.items order by id`)).toEqual([
      ['3'],
      ['7'],
      ['7'],
    ])
  })

  test('in every clause', async () => {
    const value = nested('size', 20, (x) => `nullif(${x}, 4)`)
    expect(
      await rowsOf(
        `select ${value}, count(*) from main.items where ${value} is null or ${value} = 3
          group by ${value} having max(${value}) is null or min(${value}) = 3 order by ${value}`,
      ),
    ).toEqual([
      [3, '1'],
      [null, '2'],
    ])
    expect(
      await rowsOf(
        `select a.id, b.id from main.items a left join main.items b on nullif(${nested('a.size', 20, (x) => `nullif(${x}, 9)`)}, 8) = b.size order by 1`,
      ),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, null],
    ])
  })

  test('a volatile operand has one value, another one for each row', async () => {
    // Two evaluations would differ, and `x` would not be NULL.
    const isSame = 'nullif(x, x) is null'
    expect(
      await rowsOf(
        `select bool_and(${isSame}), count(distinct x) from (select nullif(random(), 2) as x from main.items offset 0) as t`,
      ),
    ).toEqual([[true, '3']])
    expect(
      await rowsOf(
        'select bool_and(y between 0 and 1) from (select power(random(), 1) as y from main.items) as t',
      ),
    ).toEqual([[true]])
  })
})
