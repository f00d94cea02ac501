import { createTypeSystem } from '@engine/core/catalog'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createParameterDecoder } from '../src/values/create-parameter-decoder.ts'
import { respellInterval } from '../src/values/interval-style.ts'

const parts = [
  ['0 mon', '1 mon', '-1 mon', '14 mons', '-25 mons'],
  ['0 day', '1 day', '-1 day', '40 days'],
  [
    '0 s',
    '1 s',
    '-1 s',
    '0.000001 s',
    '-0.5 s',
    '61.25 s',
    '1 h',
    '-1 h',
    '-26:03:04',
    '100:00:00',
  ],
]

describePostgres('intervals beside PostgreSQL', () => {
  let client: Client

  beforeAll(async () => {
    client = new Client({ connectionString: await createDatabase('intervals') })
    await client.connect()
  })
  afterAll(() => client.end())

  test.each(['postgres_verbose', 'sql_standard', 'iso_8601'] as const)('%s', async (style) => {
    const inputs = parts.reduce<readonly string[]>(
      (texts, more) => texts.flatMap((text) => more.map((part) => `${text} ${part}`)),
      [''],
    )
    const plain = await shown('postgres', inputs)
    expect(plain.map((text) => respellInterval(text, style))).toEqual(await shown(style, inputs))
  })

  test('a sign in front of everything counts as in PostgreSQL', async () => {
    const texts = [
      ...[
        '-1 2:03:04',
        '-1 +2:03:04',
        '-1-2',
        '-1-2 3 4:05',
        '-1 year 2 mons 3 days',
        '-1 year -2 mons',
      ],
      ...[
        '-1y2d',
        '-1 mon 2.5 s',
        '-00:01:02',
        '-1.5 days',
        '-1-2 +3',
        '  -1 2:03',
        '1 2:03',
        '1 -2:03',
        '-1 day .5 s',
      ],
    ]
    await client.query('set intervalstyle to sql_standard')
    const sql =
      'select extract(epoch from value::interval)::text as value from unnest($1::text[]) as t (value)'
    const { rows } = await client.query<{ value: string }>(sql, [texts])
    await client.query('set intervalstyle to postgres')
    const settings = {
      timeZone: 'UTC',
      byteaOutput: 'hex',
      intervalStyle: 'sql_standard',
      clock: Date.now,
    } as const
    const read = createParameterDecoder(
      { number: 1, typeOid: 1186 },
      0,
      createTypeSystem(),
      settings,
    )
    const { rows: same } = await client.query<{ value: string }>(sql, [
      texts.map((text) => read(Buffer.from(text))),
    ])
    expect(same).toEqual(rows)
  })

  async function shown(style: string, inputs: readonly string[]): Promise<readonly string[]> {
    await client.query(`set intervalstyle to postgres`)
    await client.query('create temp table if not exists inputs (n int, value interval)')
    await client.query('truncate inputs')
    await client.query(
      'insert into inputs select n, value::interval from unnest($1::text[]) with ordinality as t (value, n)',
      [inputs],
    )
    await client.query(`set intervalstyle to ${style}`)
    const { rows } = await client.query<{ value: string }>(
      'select value::text as value from inputs order by n',
    )
    return rows.map(({ value }) => value)
  }
})
