import { type Cell, type ColumnType, portableTables } from '@engine/fixtures'
import { expect, test } from 'vitest'
import { ask, askOne, errorOf } from './answer.ts'
import type { Opened } from './opened.ts'

/** A value of each type is sent as a parameter and returned in its wire form. */
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

/** Edge values of the columns of a table, as parameters and in their wire form. */
const storedEdges: readonly (readonly [column: string, value: unknown, wire: unknown])[] = [
  ['amount', '99999999.99', '99999999.99'],
  ['amount', '-0.01', '-0.01'],
  ['small', -32_768, -32_768],
  ['big', '-9223372036854775808', '-9223372036854775808'],
  ['big', '9007199254740993', '9007199254740993'],
  ['ratio', 0.1, 0.1],
  ['ratio', 1.7976931348623157e308, 1.7976931348623157e308],
  ['flag', false, false],
  ['note', 'blank at the end ', 'blank at the end '],
  ['note', 'Straße \\ \' " 😀', 'Straße \\ \' " 😀'],
  ['note', '', ''],
  ['note', 'null', 'null'],
  ['day', '0001-01-01', '0001-01-01'],
  ['day', '9999-12-31', '9999-12-31'],
  ['at', '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999'],
  ['at', '2024-02-29T00:00:00.100', '2024-02-29 00:00:00.1'],
  ['seen_at', '2024-06-30T23:30:00-05:00', '2024-07-01 04:30:00+00'],
  ['bytes', '\\x00ff', '\\x00ff'],
  ['bytes', '\\x', '\\x'],
]

/** A described value in its wire form. */
function wireValue(type: ColumnType, cell: Cell): unknown {
  if (cell === null || typeof cell === 'boolean') return cell
  if (/^int[24]$|^float8$/.test(type)) return Number(cell)
  return type === 'json' || type === 'jsonb' ? JSON.parse(String(cell)) : String(cell)
}

/** Seconds since 1970 in 32 bits. */
function inEpoch(value: unknown): boolean {
  return typeof value === 'string' && value >= '1970' && value < '2038-02'
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === '\\x'
}

/** Values, NULLs and text order. */
export function valueTests({ engine, reset, has, check }: Opened): void {
  for (const [type, value, wire] of roundTrips) {
    check(`${type} ${JSON.stringify(value)} comes back as ${JSON.stringify(wire)}`, async () => {
      expect(await askOne(engine(), `select $1::${type}`, [value])).toEqual([wire])
    })
  }

  check('values of every type are stored and read as they are', async () => {
    const data = portableTables().find(({ table }) => table.name === 'type_samples')
    if (data === undefined) throw new Error('the fixture has no type_samples')
    const { columns } = data.table
    const kept = (cell: Cell) => (cell === '' && !has('emptyTexts') ? null : cell)
    const { rows } = await ask(engine(), 'select * from "main"."type_samples" order by id')
    expect(rows).toHaveLength(data.rows.length)
    for (const [index, row] of rows.entries()) {
      const described = columns.map(({ type }, at) =>
        wireValue(type, kept(data.rows[index]?.[at] ?? null)),
      )
      // Databases differ in their range of timestamps with time zone.
      const isFar = (at: number) => columns[at]?.type === 'timestamptz' && row[at] !== described[at]
      expect(row.map((value, at) => (isFar(at) ? inEpoch(value) : value))).toEqual(
        described.map((value, at) => (isFar(at) ? true : value)),
      )
    }
  })

  for (const [column, value, wire] of storedEdges) {
    if (isEmpty(value) && !has('emptyTexts')) continue
    check(`${column} ${JSON.stringify(value)} can be stored and found again`, async () => {
      await reset()
      const update = `update "main"."scratch" set ${column} = $1 where id = 1 returning ${column}`
      expect(await askOne(engine(), update, [value])).toEqual([wire])
      const find = `select id from "main"."scratch" where ${column} = $1 and id = 1`
      expect(await askOne(engine(), find, [value])).toEqual([1])
      await reset()
    })
  }

  check('NULL in expressions, lists and aggregates', async () => {
    const { rows } = await ask(
      engine(),
      `select null::int + 1, coalesce(null, 'x'), nullif(1, 1), null is null, 1 in (2, null),
         1 not in (1, null), (select count(note) from "main"."scratch" where note is null),
         (select sum(id) from "main"."scratch" where id < 0)`,
    )
    expect(rows).toEqual([[null, 'x', null, true, null, false, '0', null]])
  })

  check('columns of the same name are both kept', async () => {
    const row = await askOne(
      engine(),
      `select o.id, c.id from "main"."orders" o join "main"."customers" c on c.id = o.customer_id
       where o.id = $1`,
      [1],
    )
    expect(row).toHaveLength(2)
  })

  check('NULL is neither equal nor unequal, and sorts last', async () => {
    const sql = 'select count(*) from "main"."orders" where ship_city = null or ship_city <> null'
    expect(await askOne(engine(), sql)).toEqual(['0'])
    const sorted = await ask(engine(), 'select shipped_on from "main"."orders" order by shipped_on')
    expect(sorted.rows.at(-1)).toEqual([null])
  })

  check('text is compared by code point, case and accents count', async () => {
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

  const dataErrors = [
    ['a division by zero', 'select 1 / (id - id) from "main"."orders"', '22012'],
    ['two rows for one value', 'select (select id from "main"."orders")', '21000'],
  ] as const
  for (const [title, sql, sqlState] of dataErrors) {
    check(`${title} is a clear refusal`, async () => {
      expect(await errorOf(engine(), sql)).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
    })
    check(`${title} has its SQLSTATE`, async () => {
      expect(await errorOf(engine(), sql)).toMatchObject({ sqlState })
    })
  }
}
