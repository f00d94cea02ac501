import { oids, type SqlType } from '@engine/core/catalog'
import { type Cell, portableTables } from '@engine/fixtures'
import { describe, expect } from 'vitest'
import { openClient } from './client.ts'
import type { Opened } from './opened.ts'

/** Statement, parameters and row, all in PostgreSQL's text format. */
type TextCase = readonly [sql: string, params: readonly (string | null)[], row: readonly unknown[]]

const scalars: readonly TextCase[] = [
  ['select $1::boolean, not $1::boolean', ['yes'], ['t', 'f']],
  ['select id > 1 from "main"."tags" where id = 1', [], ['f']],
  ['select $1::smallint, $2::integer', ['-32768', '2147483647'], ['-32768', '2147483647']],
  [
    'select $1::bigint, count(*) from "main"."tags" where id = 1',
    ['9007199254740993'],
    ['9007199254740993', '1'],
  ],
  ['select $1::numeric, $1::numeric + 0.50', ['1.50'], ['1.50', '2.00']],
  ['select $1::numeric(10,2)', ['1.5'], ['1.50']],
  ['select $1::double precision', ['1e300'], ['1e+300']],
  ['select $1::double precision', ['0.0000001'], ['1e-07']],
  ['select $1::double precision', ['1000000000000000'], ['1e+15']],
  ['select $1::double precision', ['123456789012345.5'], ['123456789012345.5']],
  ['select $1::double precision / 2', ['1'], ['0.5']],
  ['select $1::text', ['it\'s "ünïcode" \\ 😀\n'], ['it\'s "ünïcode" \\ 😀\n']],
  ['select $1::text', ['null'], ['null']],
  ['select $1::text, $2::integer, $3::jsonb', [null, null, null], [null, null, null]],
  [
    'select $1::uuid',
    ['A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'],
    ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ],
  ['select $1::date, $1::date + 1', ['2024-02-29'], ['2024-02-29', '2024-03-01']],
  ['select $1::time', ['10:30:00.250'], ['10:30:00.25']],
  ['select $1::timestamp', ['2024-01-15T10:30:00.123456Z'], ['2024-01-15 10:30:00.123456']],
  ['select $1::timestamptz', ['2024-01-15T12:30:00+02:00'], ['2024-01-15 10:30:00+00']],
  ['select $1::bytea', ['\\xDEAD'], ['\\xdead']],
  ['select $1::bytea', ['\\x'], ['\\x']],
  ['select $1::jsonb', ['{"bb":[1,null],"a":"x\\u00e9"}'], ['{"a": "xé", "bb": [1, null]}']],
  ['select $1::jsonb', ['null'], ['null']],
  ['select $1::json', ['{"b":1,\n "a":2}'], ['{"b":1,\n "a":2}']],
  [`select interval '1 day 02:00:00'`, [], ['1 day 02:00:00']],
  ['select $1::char(5)', ['ab'], ['ab   ']],
]

const arrays: readonly TextCase[] = [
  ['select array[1, null, 3]', [], ['{1,NULL,3}']],
  ['select array[true, false]', [], ['{t,f}']],
  [
    'select array[$1, $2, $3, $4, $5]::text[]',
    ['a b', 'null', '', 'x,y', 'é'],
    ['{"a b","null","","x,y",é}'],
  ],
  ['select array[$1, $2]::text[]', ['"', '\\'], ['{"\\"","\\\\"}']],
  ['select array[1.50, 2.25]', [], ['{1.50,2.25}']],
  ['select array_agg(id order by id) from "main"."tags" where id <= 3', [], ['{1,2,3}']],
  ['select array_agg(id) from "main"."tags" where id < 0', [], [null]],
]

/** PostgreSQL's text for floats in the samples that JavaScript prints differently. */
const floatTexts: ReadonlyMap<number, string> = new Map([
  [-1.7976931348623157e308, '-1.7976931348623157e+308'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
  [1e20, '1e+20'],
  [1e16, '1e+16'],
  [1e-6, '1e-06'],
  [1e-7, '1e-07'],
])

function textOf(cell: Cell, { oid }: SqlType): string | null {
  if (cell === null) return null
  if (typeof cell === 'boolean') return cell ? 't' : 'f'
  if (oid !== oids.float8) return String(cell)
  return floatTexts.get(Number(cell)) ?? String(cell)
}

/** Seconds since 1970 in 32 bits. */
function inEpoch(text: string | null | undefined): boolean {
  return typeof text === 'string' && text >= '1970' && text < '2038-02'
}

/** Rows in PostgreSQL's text format, as clients of the wire protocol get them. */
export function cellTests({ engine, reset, has, check }: Opened): void {
  describe("rows in PostgreSQL's text format", () => {
    for (const [sql, params, row] of [...scalars, ...arrays]) {
      check(`as text: ${sql} ${JSON.stringify(params)}`, async () => {
        expect(await openClient(engine()).row(sql, params)).toEqual(row)
      })
    }

    check('as text: columns of every type', async () => {
      const data = portableTables().find(({ table }) => table.name === 'type_samples')
      if (data === undefined) throw new Error('the fixture has no type_samples')
      const names = data.table.columns.map(({ name }) => name)
      const documents = { text: names.indexOf('c_json'), canonical: names.indexOf('c_jsonb') }
      const sql = 'select * from type_samples order by id'
      const client = openClient(engine())
      const { columns } = await client.describe(sql)
      const rows = await client.rows(sql)
      const expected = data.rows.map((cells, index) =>
        columns.map(({ type }, at) => {
          // A database with only one type for documents uses jsonb.
          const isCanonical = at === documents.text && type.oid === oids.jsonb
          const cell = cells[isCanonical ? documents.canonical : at] ?? null
          if (cell === '' && !has('emptyTexts')) return null
          const text = textOf(cell, type)
          // Databases differ in their range of timestamps with time zone.
          const given = rows[index]?.[at]
          return type.oid === oids.timestamptz && text !== given && inEpoch(given) ? given : text
        }),
      )
      expect(rows).toEqual(expected)
    })

    check('as text: what a write gives back', async () => {
      await reset()
      const sql = `update scratch set flag = $1, amount = $2, data = $3, bytes = $4, at = $5 where id = 1
        returning flag, amount, data, bytes, at, note`
      const params = ['t', '2.5', '{"b":1,"a":[]}', '\\x00ff', '2024-02-29T00:00:00.100']
      const row = await openClient(engine()).row(sql, params)
      await reset()
      expect(row).toEqual([
        't',
        '2.50',
        '{"a": [], "b": 1}',
        '\\x00ff',
        '2024-02-29 00:00:00.1',
        'first',
      ])
    })

    check('as text: thousands of rows, each whole', async () => {
      const rows = await openClient(engine()).rows(
        'select a.id, b.id, a.notes from orders a, tags b order by a.id, b.id limit 3000',
      )
      expect(rows).toHaveLength(3_000)
      expect(rows.every((row) => row.length === 3 && typeof row[0] === 'string')).toBe(true)
    })
  })
}
