import { expect, test } from 'vitest'
import type { Opened } from './adapter-conformance.ts'
import { ask, askOne } from './answer.ts'

/** A value of each type goes in as a parameter and comes out in its form on the wire. */
const roundTrips: readonly (readonly [type: string, value: unknown, wire: unknown])[] = [
  ['boolean', true, true],
  ['boolean', 'f', false],
  ['smallint', -32_768, -32_768],
  ['integer', 2_147_483_647, 2_147_483_647],
  ['bigint', '9223372036854775807', '9223372036854775807'],
  ['bigint', 5, '5'],
  ['numeric', '12345678901234567890.0100', '12345678901234567890.0100'],
  ['double precision', 0.1, 0.1],
  ['double precision', 1e300, 1e300],
  ['text', 'it\'s "ünïcode" \\ 😀', 'it\'s "ünïcode" \\ 😀'],
  ['text', '', ''],
  ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['date', '2024-02-29', '2024-02-29'],
  ['time', '10:30:00.250', '10:30:00.25'],
  ['timestamp', '2024-01-15T10:30:00.123456Z', '2024-01-15 10:30:00.123456'],
  ['timestamptz', '2024-01-15T12:30:00+02:00', '2024-01-15 10:30:00+00'],
  ['bytea', '\\xDEAD', '\\xdead'],
  ['jsonb', { b: [1, null], a: 'x' }, { a: 'x', b: [1, null] }],
  ['text', null, null],
  ['integer', null, null],
]

/** Values, NULLs and text order. */
export function valueTests({ engine }: Opened): void {
  test.each(roundTrips)('%s %j comes back as %j', async (type, value, wire) => {
    expect(await askOne(engine(), `select $1::${type}`, [value])).toEqual([wire])
  })

  test('values of every type are stored and read', async () => {
    const { rows } = await ask(engine(), 'select * from "main"."type_samples" order by id')
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.every((row) => row.length === rows[0]?.length)).toBe(true)
  })

  test('columns of the same name are both kept', async () => {
    const row = await askOne(
      engine(),
      `select o.id, c.id from "main"."orders" o join "main"."customers" c on c.id = o.customer_id
       where o.id = $1`,
      [1],
    )
    expect(row).toHaveLength(2)
  })

  test('NULL is neither equal nor unequal, and sorts last', async () => {
    const sql = 'select count(*) from "main"."orders" where ship_city = null or ship_city <> null'
    expect(await askOne(engine(), sql)).toEqual(['0'])
    const sorted = await ask(engine(), 'select shipped_on from "main"."orders" order by shipped_on')
    expect(sorted.rows.at(-1)).toEqual([null])
  })

  test('text is compared by code point, case and accents count', async () => {
    const { rows } = await ask(
      engine(),
      `select v from (values ('b'), ('A'), ('a'), ('B'), ('é'), ('z'), ('😀')) as t(v) order by v`,
    )
    expect(rows.flat()).toEqual(['A', 'B', 'a', 'b', 'z', 'é', '😀'])
  })

  test('a parameter that does not fit its type is refused', async () => {
    for (const [type, value] of [
      ['integer', 'abc'],
      ['integer', 2_147_483_648],
      ['integer', 1.5],
      ['date', '2024-02-30'],
      ['uuid', 'no uuid'],
      ['boolean', 'maybe'],
      ['jsonb', '{"a":'],
    ]) {
      await expect(ask(engine(), `select $1::${type}`, [value])).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
    }
  })

  test('an error of the data is a clear refusal', async () => {
    await expect(ask(engine(), 'select 1 / (id - id) from "main"."orders"')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      sqlState: '22012',
    })
    await expect(ask(engine(), 'select (select id from "main"."orders")')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      sqlState: '21000',
    })
  })
}
