import { beforeEach, describe, expect } from 'vitest'
import { ask, askOne, errorOf } from './answer.ts'
import type { Opened } from './opened.ts'

/** Writes that a database refuses: title, statement, parameters, error. */
type Forbidden = readonly [title: string, sql: string, params: readonly unknown[], error: object]

const forbiddenByKeys: readonly Forbidden[] = [
  [
    'a taken unique key',
    'insert into "main"."tags" (id, name) values ($1, $2)',
    [1, 'new name'],
    { code: 'CONFLICT', status: 409 },
  ],
  [
    'a text that is too long',
    'update "main"."products" set sku = $1 where id = 1',
    ['x'.repeat(21)],
    { code: 'VALIDATION_ERROR', status: 422 },
  ],
  [
    'a number that is too large',
    'update "main"."products" set unit_price = $1 where id = 1',
    ['999999999'],
    { code: 'VALIDATION_ERROR', status: 422 },
  ],
]

const forbidden: readonly Forbidden[] = [
  ...forbiddenByKeys,
  [
    'a foreign key to nothing',
    'update "main"."orders" set customer_id = $1 where id = 1',
    [99_999],
    { code: 'CONFLICT', status: 409 },
  ],
  [
    'NULL where there must be a value',
    'update "main"."customers" set company_name = null where id = 1',
    [],
    { code: 'VALIDATION_ERROR', status: 422 },
  ],
  [
    'a value that a CHECK forbids',
    'update "main"."products" set unit_price = $1 where id = 1',
    ['-1'],
    { code: 'VALIDATION_ERROR', status: 422 },
  ],
]

/** INSERT, UPDATE, DELETE, upsert and RETURNING, and writes that the database refuses. */
export function writeTests({ engine, reset, has, check }: Opened): void {
  describe('writes', () => {
    beforeEach(() => reset())

    if (has('defaults')) defaultTests(engine, check)

    check('an update counts the rows it found, changed or not', async () => {
      const sql = 'update "main"."orders" set status = status where id <= $1'
      expect((await ask(engine(), sql, [5])).rowCount).toBe(5)
    })

    check('an update sees old values on its right side', async () => {
      const sql = `update "main"."order_items" set quantity = discount * 0 + 2, discount = quantity / 100.0
        where order_id = $1 returning quantity`
      const { rows } = await ask(engine(), sql, [1])
      expect(rows.every(([quantity]) => quantity === 2)).toBe(true)
    })

    check('an upsert changes the row that is there', async () => {
      const sql = `insert into "main"."tags" (id, name) values ($1, $2)
        on conflict (id) do update set name = excluded.name returning id, name`
      expect(await askOne(engine(), sql, [1, 'renamed'])).toEqual([1, 'renamed'])
      const nothing = `insert into "main"."tags" (id, name) values ($1, $2)
        on conflict (id) do nothing returning id`
      expect((await ask(engine(), nothing, [1, 'again'])).rows).toEqual([])
    })

    check('deleted rows come back', async () => {
      const sql = 'delete from "main"."reviews" where id = $1 returning id'
      expect(await askOne(engine(), sql, [1])).toEqual([1])
      expect((await ask(engine(), sql, [1])).rows).toEqual([])
    })

    for (const [title, sql, params, error] of has('constraints') ? forbidden : forbiddenByKeys) {
      check(`${title} is refused and nothing is written`, async () => {
        const state = 'select count(*), max(name) from "main"."tags"'
        const before = await askOne(engine(), state)
        expect(await errorOf(engine(), sql, params)).toMatchObject(error)
        expect(await askOne(engine(), state)).toEqual(before)
      })
    }

    check('of several rows, one that fails takes all with it', async () => {
      const sql = 'insert into "main"."tags" (id, name) values (901, $1), (902, $2), (1, $3)'
      await expect(ask(engine(), sql, ['p', 'q', 'r'])).rejects.toMatchObject({ code: 'CONFLICT' })
      const count = 'select count(*) from "main"."tags" where id > 900'
      expect(await askOne(engine(), count)).toEqual(['0'])
    })
  })
}

function defaultTests(engine: Opened['engine'], check: Opened['check']): void {
  check('an inserted row comes back, defaults filled in', async () => {
    const sql = `insert into "main"."products" (id, name, sku, unit_price) values ($1, $2, $3, $4)
      returning id, unit_price, units_in_stock, discontinued`
    expect(await askOne(engine(), sql, [9_001, 'Tea', 'T-1', '2.5'])).toEqual([
      9_001,
      '2.50',
      0,
      false,
    ])
  })

  check('DEFAULT stands for the default of each column', async () => {
    const sql = `insert into "main"."products" (id, name, sku, unit_price, units_in_stock)
      values ($1, $2, $3, $4, default), ($5, $6, $7, $8, $9) returning units_in_stock`
    const params = [9_001, 'A', 'A-1', '1', 9_002, 'B', 'B-1', '1', 7]
    expect((await ask(engine(), sql, params)).rows).toEqual([[0], [7]])
  })
}
