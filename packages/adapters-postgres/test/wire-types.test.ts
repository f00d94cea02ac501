import type { Adapter, SqlValue } from '@engine/core/adapter'
import { createTypeSystem, oids } from '@engine/core/catalog'
import { createArrayEncoder } from '@engine/core/driver'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresAdapter } from '../src/index.ts'
import { executionOf, statementOf } from './support/statements.ts'

const types = createTypeSystem()

/** An array of one element and a NULL. */
function arrayLiteral(element: string): string {
  return `{"${element.replaceAll(/["\\]/g, '\\$&')}",NULL}`
}

describePostgres('values on the wire', () => {
  let adapter: Adapter

  beforeAll(async () => {
    adapter = postgresAdapter({ url: await createDatabase('wire') })
  })
  afterAll(() => adapter.close())

  const typeName = (oid: number) => types.typeByOid(oid)?.name ?? ''
  /** The value that is read back for a sent value. */
  const echo = async (oid: number, value: SqlValue): Promise<string> => {
    const statement = statementOf(`select $1::pg_catalog."${typeName(oid)}"`, {
      columns: [oid],
      parameters: [oid],
    })
    const { rows } = await adapter.execute(executionOf(statement, [value]))
    return String(rows).slice(1, -1)
  }

  test.each([
    [oids.bool, 'true', 'true'],
    [oids.bool, 'false', 'false'],
    [oids.int2, '-32768', '-32768'],
    [oids.int4, '2147483647', '2147483647'],
    [oids.int8, '9223372036854775807', '"9223372036854775807"'],
    [oids.oid, '4294967295', '4294967295'],
    [oids.float4, '0.1', '0.1'],
    [oids.float8, '1e+20', '1e+20'],
    [oids.float8, '0.30000000000000004', '0.30000000000000004'],
    [oids.float8, 'NaN', '"NaN"'],
    [oids.float8, '-Infinity', '"-Infinity"'],
    [oids.numeric, '1.50', '"1.50"'],
    [oids.numeric, '-12345678901234567890.123456789', '"-12345678901234567890.123456789"'],
    [oids.numeric, 'NaN', '"NaN"'],
    [
      oids.text,
      'Zoë "quoted" \\ \n\t\u0001 \u{1f600}',
      JSON.stringify('Zoë "quoted" \\ \n\t\u0001 \u{1f600}'),
    ],
    [oids.text, '', '""'],
    [oids.varchar, 'abc', '"abc"'],
    [oids.bpchar, 'ab  ', '"ab  "'],
    [oids.uuid, '00000000-0000-4000-8000-00000000000A', '"00000000-0000-4000-8000-00000000000a"'],
    [oids.date, '2024-02-29', '"2024-02-29"'],
    [oids.date, 'infinity', '"infinity"'],
    [oids.time, '23:59:59.5', '"23:59:59.5"'],
    [oids.timestamp, '2024-01-15 10:30:00.250', '"2024-01-15 10:30:00.25"'],
    [oids.timestamptz, '2024-01-15 10:30:00+02', '"2024-01-15 08:30:00+00"'],
    [oids.interval, '1 year 2 mons 3 days 04:05:06', '"1 year 2 mons 3 days 04:05:06"'],
    [oids.bytea, '\\xDEAD', '"\\\\xdead"'],
    [oids.json, '{"b":  1, "a": 12345678901234567890}', '{"b":  1, "a": 12345678901234567890}'],
    [oids.jsonb, '{"b": 1, "a": [true, null]}', '{"a": [true, null], "b": 1}'],
    [oids.jsonb, 'null', 'null'],
    [oids.inet, '10.0.0.1', '"10.0.0.1"'],
    [oids.money, '1234.5', '"$1,234.50"'],
    [oids.point, '(1,2)', '"(1,2)"'],
  ])('type %i: %j → %s', async (oid, value, json) => {
    expect(await echo(oid, value)).toBe(json)
  })

  test.each(['bool', 'int4', 'int8', 'text', 'json', 'bytea', 'int4Array'] as const)(
    'NULL of type %s is null',
    async (name) => {
      expect(await echo(oids[name], null)).toBe('null')
    },
  )

  describe('arrays', () => {
    test.each([
      [oids.int4Array, ['1', null, '3'], '[1,null,3]'],
      [oids.int4Array, [], '[]'],
      [
        oids.int4Array,
        [
          ['1', '2'],
          ['3', '4'],
        ],
        '[[1,2],[3,4]]',
      ],
      [oids.int8Array, ['9007199254740993'], '["9007199254740993"]'],
      [oids.boolArray, ['true', 'false', null], '[true,false,null]'],
      [oids.float8Array, ['NaN', '1.5'], '["NaN",1.5]'],
      [oids.numericArray, ['1.50'], '["1.50"]'],
      [oids.dateArray, ['2024-01-01'], '["2024-01-01"]'],
      [oids.timestamptzArray, ['2024-01-01 00:00:00+01'], '["2023-12-31 23:00:00+00"]'],
      [oids.jsonbArray, ['{"a": "x\\"y"}', null], '[{"a": "x\\"y"},null]'],
      [oids.byteaArray, ['\\xff', '\\x'], '["\\\\xff","\\\\x"]'],
    ])('type %i: %j → %s', async (oid, value, json) => {
      expect(await echo(oid, value)).toBe(json)
    })

    test('keep whatever text is in them', async () => {
      const texts = [
        '',
        'NULL',
        'null',
        ' a ',
        'b,c',
        '{d}',
        'e"f',
        'g\\h',
        "i'j",
        'k\nl',
        '\u{1f600}',
      ]

      expect(JSON.parse(await echo(oids.textArray, texts))).toEqual(texts)
    })

    test('of boxes are separated by semicolons', async () => {
      const boxes = ['(1,1),(0,0)', '(2,2),(1,1)']

      expect(JSON.parse(await echo(types.arrayTypeOid(oids.box) ?? 0, boxes))).toEqual(boxes)
    })

    test('with bounds of their own begin at their first element', async () => {
      const statement = statementOf("select '[0:1]={7,8}'::pg_catalog.int4[]", {
        columns: [oids.int4Array],
      })

      expect(await adapter.execute(executionOf(statement))).toMatchObject({ rows: '[[7,8]]' })
    })
  })

  test('bytes from the socket become what the same cells become as texts, type by type', async () => {
    const client = new Client({ connectionString: await createDatabase('every_type') })
    await client.connect()
    const { rows: known } = await client.query<{ oid: number; name: string; category: string }>(
      `select t.oid::int, t.typname as name, t.typcategory as category from pg_type t
       join pg_namespace n on n.oid = t.typnamespace
       where n.nspname = 'pg_catalog' and t.typtype = 'b' and t.typelem = 0 or t.typcategory = 'A'
       order by t.oid`,
    )
    const texts = [
      '1',
      '0',
      't',
      '2024-01-15 10:30:00',
      '{"a": "\u00e9\\n"}',
      '\\xff',
      '(1,2)',
      'a"\n\t\\é',
    ]
    const found: { oid: number; literal: string; name: string }[] = []
    for (const { oid, name, category } of known.filter((type) => types.typeByOid(type.oid))) {
      for (const text of category === 'A' ? texts.map((each) => arrayLiteral(each)) : texts) {
        const cast = client.query(`select $1::text::pg_catalog."${name}"`, [text])
        await cast.then(
          () => found.push({ oid, literal: text, name }),
          () => undefined,
        )
      }
    }
    await client.end()
    const statement = statementOf(
      `select ${found.map(({ literal, name }) => `${client.escapeLiteral(literal)}::pg_catalog."${name}"`).join(', ')}`,
      { columns: found.map(({ oid }) => oid) },
    )
    const encode = createArrayEncoder(
      found.map(({ oid }) => ({ name: 'x', kind: types.wireKind(oid) })),
    )

    const bytes = await adapter.execute(executionOf(statement))
    const cells = await adapter.execute(executionOf(statement, [], { rowShape: 'cells' }))

    expect(new Set(found.map(({ oid }) => oid)).size).toBeGreaterThan(80)
    expect(String(bytes.rows)).toBe(encode(JSON.parse(String(cells.rows)) as string[]))
  })

  test('a session does not depend on the settings of its role', async () => {
    const url = await createDatabase('settings')
    const client = new Client({ connectionString: url })
    await client.connect()
    const database = new URL(url).pathname.slice(1)
    for (const setting of [
      "timezone = 'Asia/Tokyo'",
      "datestyle = 'German'",
      "intervalstyle = 'iso_8601'",
      "bytea_output = 'escape'",
      'extra_float_digits = -5',
      "search_path = 'public'",
      'standard_conforming_strings = off',
    ]) {
      await client.query(`alter database "${database}" set ${setting}`)
    }
    await client.end()
    const other = postgresAdapter({ url })
    const statement = statementOf(
      `select '2024-01-15 10:30:00+00'::pg_catalog.timestamptz, '2024-01-15'::pg_catalog.date,
         '1 day'::pg_catalog.interval, 'a\\b'::pg_catalog.text, '\\x5c'::pg_catalog.bytea,
         0.1::pg_catalog.float8 + 0.2, pg_catalog.current_setting('search_path')`,
      {
        columns: [
          oids.timestamptz,
          oids.date,
          oids.interval,
          oids.text,
          oids.bytea,
          oids.float8,
          oids.text,
        ],
      },
    )

    const { rows } = await other.execute(executionOf(statement))
    await other.close()

    expect(JSON.parse(String(rows))).toEqual([
      '2024-01-15 10:30:00+00',
      '2024-01-15',
      '1 day',
      'a\\b',
      '\\x5c',
      0.30000000000000004,
      'pg_catalog, public',
    ])
  })
})
