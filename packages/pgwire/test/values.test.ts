import { createTypeSystem } from '@engine/core/catalog'
import type { Oid } from '@engine/core/values'
import { zoneNames } from '@engine/core/values'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodingOf } from '../src/encodings/encoding-of.ts'
import type { ValueSettings } from '../src/values/cell-format.ts'
import { createCellEncoder } from '../src/values/create-cell-encoder.ts'
import { createParameterDecoder } from '../src/values/create-parameter-decoder.ts'
import { normalizeTimeZone } from '../src/values/zone-name.ts'
import { samples } from './support/sample-values.ts'

const types = createTypeSystem()

const utc: ValueSettings = { timeZone: 'UTC', byteaOutput: 'hex', clock: Date.now }

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Africa/Monrovia',
  '<+02>-02',
  'UTC+3:30',
]

/** Zones whose history is the same in our source of rules and in PostgreSQL's. */
const since1970 = /^(?:19[7-9]|20|2[1-9]|[3-9]\d\d\d-|\d{5})/

const singleByteEncodings = [
  ...Array.from({ length: 10 }, (_, i) => `LATIN${i + 1}`),
  ...['ISO_8859_5', 'ISO_8859_6', 'ISO_8859_7', 'ISO_8859_8', 'KOI8R', 'KOI8U', 'WIN866', 'WIN874'],
  ...Array.from({ length: 9 }, (_, i) => `WIN125${i}`),
]

describePostgres('values beside a PostgreSQL', () => {
  let client: pg.Client

  beforeAll(async () => {
    client = new pg.Client({ connectionString: await createDatabase('values') })
    await client.connect()
    await client.query(`create function pg_temp.read_byte(byte int4, encoding text) returns text language plpgsql as $$
      begin return convert_from(set_byte('\\x00', 0, byte), encoding); exception when others then return null; end $$`)
    await client.query("select setseed(0.5); set timezone to 'UTC'; set lc_monetary to 'C'")
  })
  afterAll(() => client.end())

  /** The single column of a query as text, and its type. */
  async function column(
    sql: string,
    values: readonly string[] = [],
  ): Promise<{ readonly oid: Oid; readonly texts: readonly string[] }> {
    const query = {
      text: sql,
      values: [...values],
      rowMode: 'array' as const,
      types: { getTypeParser: () => (cell: string) => cell },
    }
    const { fields, rows } = await client.query<string[]>(query)
    return { oid: fields[0]?.dataTypeID ?? 0, texts: rows.map(([cell]) => cell ?? 'NULL') }
  }

  /** The binary form of a column, in hexadecimal digits, from the type's send function. */
  async function binaryColumn(table: string, oid: Oid): Promise<readonly string[]> {
    const { texts: senders } = await column('select typsend::text from pg_type where oid = $1', [
      String(oid),
    ])
    const { texts } = await column(
      `select encode(${senders[0]}(value), 'hex') from ${table} order by id`,
    )
    return texts
  }

  const distinct = samples.map((sample, i) => ({ ...sample, table: `sample_${i}` }))

  beforeAll(async () => {
    for (const { table, sql, type } of distinct) {
      await client.query(`create table ${table} as select * from (${sql}) as made (value)`)
      await client.query(`alter table ${table} alter value type ${type}, add id serial`)
    }
  })

  test.each(singleByteEncodings)('characters of %s', async (name) => {
    const bytes = Array.from({ length: 255 }, (_, i) => i + 1)
    const { texts } = await column(
      'select pg_temp.read_byte(n, $1) from generate_series(1, 255) n',
      [name],
    )
    const encoding = encodingOf(name)
    const ours = bytes.map((byte) => {
      try {
        return encoding?.decode(Uint8Array.of(byte))
      } catch {
        return 'NULL'
      }
    })
    expect(ours).toEqual(texts)
    for (const [i, text] of texts.entries()) {
      if (text !== 'NULL') expect(encoding?.encode(text)).toEqual(Uint8Array.of(i + 1))
    }
  })

  describe.each(distinct)('$type of $table', ({ table }) => {
    const ordered = `select value from ${table} order by id`

    test('is sent as PostgreSQL sends it, in text and in binary', async () => {
      const { oid, texts } = await column(ordered)
      const binaries = await binaryColumn(table, oid)
      const encodeText = createCellEncoder({ name: 'value', typeOid: oid }, 0, types, utc)
      const encodeBinary = createCellEncoder({ name: 'value', typeOid: oid }, 1, types, utc)
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.map(encodeText)).toEqual(texts)
      const encoded = texts.map((text) => Buffer.from(encodeBinary(text)).toString('hex'))
      expect(encoded).toEqual(binaries)
    })

    test('is understood when it comes in binary', async () => {
      const { oid, texts } = await column(ordered)
      const binaries = await binaryColumn(table, oid)
      const decode = createParameterDecoder({ number: 1, typeOid: oid }, 1, types, utc)
      expect(binaries.map((digits) => decode(Buffer.from(digits, 'hex')))).toEqual(texts)
    })
  })

  describe.each(zones)('in the zone %s', (zone) => {
    const settings: ValueSettings = { ...utc, timeZone: zone }
    const zoned = distinct.filter(({ type }) => /timestamptz|tstz/.test(type))

    test.each(zoned)('$type of $table is shown as PostgreSQL shows it', async ({ table }) => {
      const ordered = `select value from ${table} order by id`
      const { oid, texts } = await column(ordered)
      await client.query(`set timezone to '${zone}'`)
      const { texts: expected } = await column(ordered).finally(() =>
        client.query("set timezone to 'UTC'"),
      )
      const encode = createCellEncoder({ name: 'value', typeOid: oid }, 0, types, settings)
      const comparable = texts.flatMap((text, i) => {
        const isKnown = since1970.test(text) || /^[{[(]|infinity/.test(text)
        return isKnown || /^[<U]/.test(zone) ? [i] : []
      })
      expect(comparable.length).toBeGreaterThan(0)
      expect(comparable.map((i) => encode(texts[i] ?? ''))).toEqual(
        comparable.map((i) => expected[i]),
      )
    })

    test('a clock that names no zone is read as PostgreSQL reads it', async () => {
      const days = [
        '2024-03-10',
        '2024-03-31',
        '2024-10-06',
        '2024-10-27',
        '2024-11-03',
        '2018-02-17',
      ]
      const hours = Array.from(
        { length: 49 },
        (_, i) => `${Math.floor(i / 2)}:${i % 2 ? '30' : '00'}`,
      )
      const clocks = days.flatMap((day) => hours.map((hour) => `${day} ${hour}`)).slice(0, -1)
      await client.query(`set timezone to '${zone}'`)
      const sql = `select (value::timestamptz at time zone 'UTC')::text || '+00'
        from unnest($1::text[]) with ordinality as clocks (value, n) order by n`
      const { texts: expected } = await column(sql, [`{"${clocks.join('","')}"}`]).finally(() =>
        client.query("set timezone to 'UTC'"),
      )
      const decode = createParameterDecoder({ number: 1, typeOid: 1184 }, 0, types, settings)
      const read = clocks.map((clock) => {
        const result = types.parseInput(1184, -1, decode(Buffer.from(clock)), 'explicit')
        return result.ok ? result.value : result.message
      })
      expect(read).toEqual(expected)
    })
  })

  test.each([0, -1, -3, -5, -14, -15])(
    'floats are rounded as %i extra_float_digits',
    async (digits) => {
      const settings: ValueSettings = { ...utc, extraFloatDigits: digits }
      const floats = distinct.filter(({ type }) =>
        /float|point|path|box|line|lseg|circle/.test(type),
      )
      for (const { table } of floats) {
        const ordered = `select value from ${table} order by id`
        const { oid, texts } = await column(ordered)
        await client.query(`set extra_float_digits to ${digits}`)
        const { texts: expected } = await column(ordered)
        await client.query('reset extra_float_digits')
        const encode = createCellEncoder({ name: 'value', typeOid: oid }, 0, types, settings)
        expect(texts.map(encode)).toEqual(expected)
      }
      const ties = ['0.5', '2.5', '3.5', '1000000000000005', '1000000000000015', '-0.1', '1e-5']
      await client.query(`set extra_float_digits to ${digits}`)
      const { texts: expected } = await column('select unnest($1::float8[])', [`{${ties}}`])
      await client.query('reset extra_float_digits')
      const encode = createCellEncoder({ name: 'value', typeOid: 701 }, 0, types, settings)
      expect(ties.map(encode)).toEqual(expected)
    },
  )

  test('bytea is escaped as PostgreSQL escapes it', async () => {
    const table = distinct.find(({ type }) => type === 'bytea')?.table
    const ordered = `select value from ${table} order by id`
    const { oid, texts } = await column(ordered)
    await client.query("set bytea_output to 'escape'")
    const { texts: expected } = await column(ordered)
    await client.query('reset bytea_output')
    const settings: ValueSettings = { ...utc, byteaOutput: 'escape' }
    const encode = createCellEncoder({ name: 'value', typeOid: oid }, 0, types, settings)
    expect(texts.map(encode)).toEqual(expected)
  })

  test('the names of time zones are those that PostgreSQL knows', async () => {
    const sql = `select name from pg_timezone_names
      where name !~ '^(posix/|right/|posixrules$|localtime$|Factory$)'`
    const { rows } = await client.query<{ name: string }>(sql)
    const unknown = rows.filter(({ name }) => normalizeTimeZone(name.toLowerCase()) !== name)
    expect(unknown).toEqual([])
    expect(zoneNames.size).toBeGreaterThanOrEqual(590)
  })

  test.each([
    ...['utc', '+02', '2', '-3.5', 'utc-3', '<+03>-03', '<-03>+03:30', 'PST', 'EST', 'FOO', 'FOO3'],
    ...[
      'foo-3:30:15',
      '+02:30',
      'GMT-02:00',
      'EST5EDT',
      '',
      'Z',
      'zulu',
      'UTC ',
      '170',
      '-25',
      '1e1',
    ],
    ...[
      '  2',
      '24',
      'ABC-24:60',
      "interval '3 hours'",
      "interval '-08:00'",
      "interval '1 day'",
      'ABC168',
    ],
    ...[
      '<a>3',
      'ACT',
      'IST',
      'SystemV/EST5',
      'inf',
      'cst6cdt,m4.1.0,m10.5.0',
      '<a+1>6<b>5:30,J60/-3,300/26:30:15',
      'CST6CDT,M13.1.0,M10.5.0',
      'CST6CDT,M4.6.0,M10.5.0',
      'CST6CDT,J0,300',
      'CST6CDT,366,300',
      'CST6CDT,M4.1.0',
      'CST6CDT,M4.1.0,M10.5.0/168',
      '0',
      '-0',
      '+0',
      'UTC+0',
      'default',
      'PST8',
    ],
  ])('SET TimeZone takes %j as PostgreSQL does', async (text) => {
    const shown = await client
      .query<{ shown: string }>("select set_config('timezone', $1, false) as shown", [text])
      .then(({ rows }) => rows[0]?.shown)
      .catch(() => undefined)
    await client.query("set timezone to 'UTC'")
    expect(normalizeTimeZone(text)).toBe(shown)
  })
})
