/** Dates and intervals are written and read in the styles of the session, as PostgreSQL does. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bind, describePortal, execute, parse, query, sync } from './support/recording-client.ts'
import { type Comparison, openComparison, type Step } from './support/same-as-postgres.ts'
import { type ServedDatabases, serveDatabases } from './support/served-databases.ts'

const setUp = `
  create table main.moments (
    id int4 primary key, day date, clock timestamp, at timestamptz, length interval, days date[], clocks timestamp[],
    moments timestamptz[], lengths interval[], during daterange, span tsrange, zoned tstzrange, spans tsmultirange, label text
  );
  insert into main.moments
    select n, at::date, at, at at time zone 'UTC', (n - 4) * interval '1 year 2 mons 3 days 4:05:06.789',
      array[at::date, null], array[at], array[at at time zone 'UTC', null], array[interval '0', n * interval '-1 day 2:03'],
      daterange(at::date, at::date + 3), tsrange(at, at + interval '90 minutes'),
      tstzrange(at at time zone 'UTC', null), tsmultirange(tsrange(at, at + interval '1 s')), 'moment ' || n
    from unnest(array[
      '2024-02-29 23:59:59.999999', '1999-01-08 04:05:06', '1970-01-01', '0044-03-15 12:30:00.5 BC', '12345-06-07 08:09:10',
      '0099-12-31', '2024-07-04 12:00:00'
    ]::timestamp[]) with ordinality as t (at, n);
  insert into main.moments (id, day, clock, at) values (20, 'infinity', '-infinity', 'infinity'), (21, null, null, null);
  create table main.written (id int4 generated always as identity, day date, at timestamptz, label text);`

const styles = ['ISO', 'SQL', 'Postgres', 'German'].flatMap((style) =>
  ['MDY', 'DMY', 'YMD'].map((order) => `${style}, ${order}`),
)

const orders = ['SQL, MDY', 'German, DMY', 'ISO, YMD']

const zones = ['UTC', 'America/Los_Angeles', '<+05:30>-05:30', 'GMT']

/** As PostgreSQL reads them in at least one order, and some that it never reads. */
const inputs = [
  ...['January 8, 1999', '1999-01-08', '1/8/1999', '1/18/1999', '18/1/1999', '01/02/03'],
  ...['99/01/08', '8/1/99', 'Jan-08-1999', '08-Jan-99', '99-Jan-08', '08 Jan 99', 'Jan 08 99'],
  ...['19990108', '990108', '1999.008', 'J2451187', 'January 8, 99 BC', '08.01.1999', '8.1.99'],
  ...['Tue 08 Jan 1999', '1999 08 Jan', '08-01-99', '99 08 01', '13-14-15', '1999-13-01'],
  ...['Feb 30 2001', '2001-02-29', '32/1/2001', 'nope', '', 'y2001m02d03', 'infinity', 'epoch'],
]
const timestamps = [
  ...['Thu 25 Dec 10:30:00 2003', 'Dec 25 10:30:00 2003', '25/12/2003 10:30', '12/25/2003 10:30'],
  ...['25.12.2003 10:30:00.25', '20031225T103000', '2003-12-25 10:30 PM', '12.25.2003 1:2:3.4'],
]
const zoned = ['25.12.2003 10:30:00 CET', '12/25/2003 10:30+05:30', 'Thu Dec 25 10:30:00 2003 PST']

const set = (style: string) => query(`set datestyle to ${style}`)

describePostgres('In DateStyle and IntervalStyle of its own a session', () => {
  let comparison: Comparison
  beforeAll(async () => {
    comparison = await openComparison(setUp)
  })
  afterAll(() => comparison?.close())
  const same = async (...steps: readonly Step[]): Promise<void> => {
    await comparison.same(...steps)
  }
  const asked = (...statements: readonly string[]): readonly Step[] =>
    statements.map((sql) => [[query(sql)]])
  const sameInStyles = (...steps: readonly Step[]): Promise<void> =>
    same(...styles.flatMap((style): readonly Step[] => [[[set(style)]], ...steps]))

  test('writes columns as PostgreSQL does', () =>
    sameInStyles(
      ...asked(
        'select id, day, clock, at, days, moments, (day, clock), to_json(at) from moments order by id',
      ),
    ))

  test.each(zones)('writes columns of all types as PostgreSQL does in %s', (zone) =>
    same(
      ...asked(`set time zone '${zone}'`),
      ...orders.flatMap((style) =>
        asked(
          `set datestyle to ${style}`,
          'select *, row(at), to_json(m) from moments m order by id',
        ),
      ),
    ),
  )

  test('computes texts, and reads them, as PostgreSQL does', () =>
    same(
      ...['UTC', 'America/Los_Angeles'].flatMap((zone) => [
        ...asked(`set time zone '${zone}'`),
        ...orders.flatMap((style) => [
          ...asked(`set datestyle to ${style}`),
          ...asked(
            "select day::text, clock::text, at::varchar(30), 'at ' || day, length::text, days::text, span::text from moments where id <> 20 order by id",
            "select day, at, at::text, concat(day, '/', clock), format('%s', at), array_to_string(days, ';'), (day, at)::text from moments order by id",
            'select to_json(at), json_build_object(day, length), json_agg(span), quote_literal(day) from moments where id < 21 group by day, at, length order by at',
            "select label, d::text::date, ('2024-0' || id || '-03')::date, '2024-01-02'::text::date from moments, (select date '2024-03-04') t (d) where id in (4, 7) order by id",
            'select string_agg(day::text, day::text) over (order by id) from moments order by id',
            "select ('01/02/0' || id)::date, ('01.02.0' || id || ' 10:00')::timestamp from moments where id = 7",
            'insert into written (day, at, label) select day, at, at from moments where id = 2 returning *, label || day',
            "select to_char(day, 'DD.MM.YYYY'), day + 1, day - date '2024-01-01', extract(year from day) from moments where isfinite(day) order by id",
          ),
        ]),
      ]),
    ))

  test('writes and reads intervals as PostgreSQL does', () =>
    same(
      ...['postgres', 'postgres_verbose', 'sql_standard', 'iso_8601'].flatMap((style) =>
        asked(
          `set intervalstyle to ${style}`,
          'select length, lengths, (length, day) from moments order by id',
          "select length::text, length, 'for ' || length, to_json(length), to_json(day), array_to_string(lengths, ',') from moments order by id",
          "select '-9223372036854775808 us'::interval, 'P1.5e3Y', '3 millenniums'::interval",
          "select '-1 2:03:04'::interval, '-1 2:03:04'::text::interval, '1-2'::interval::text, array['-1-2 3 4:05']::text[]::interval[]",
        ),
      ),
    ))

  test('reads literals and parameters in the order of the session', () =>
    same(
      ...orders.flatMap((style) => [
        ...asked(`set datestyle to ${style}`),
        ...inputs.flatMap((text): readonly Step[] => [
          ...asked(`select '${text}'::date, '{"${text}"}'::timestamp[] as moments`),
          [[parse('select $1::date, $2::date[]'), bind([text, `{"${text}"}`]), execute(), sync]],
        ]),
      ]),
    ))

  test('reads timestamps in every style', () =>
    same(
      ...orders.flatMap((style) => [
        ...asked(`set datestyle to ${style}`),
        ...[...timestamps, ...zoned].flatMap((text) =>
          asked(`select '${text}'::timestamp`, `select '${text}'::timestamptz`),
        ),
      ]),
    ))

  test('sets and shows the style with every word of PostgreSQL', () =>
    same(
      ...asked(
        ...["'German'", "'ISO'", "'SQL, European'", "'us'", "'postgresql, NonEuropean'"],
        ...["'ymd, sql'", "'German, YMD'", "'iso, sql'", "'dmy, mdy'", "'iso dmy'", 'default'],
        ...["''", "'sql,'", "'default, german'"],
      ).map(([[message]]): Step => {
        const value = message?.toString('utf8').slice(5, -1)
        return [[query(`set datestyle = ${value}`), query('show datestyle')], 2]
      }),
      ...asked("select set_config('datestyle', 'german', false)", "select date '2024-01-31'"),
      [
        [
          query('begin'),
          query("set local datestyle = 'sql, dmy'"),
          query("select date '2024-01-31', date '2024-01-31'::text"),
          query('savepoint a'),
          query('set datestyle = postgres'),
          query("select date '2024-01-31', now()::text = 'x'"),
          query('rollback to a'),
          query('show datestyle'),
          query('commit'),
          query("select date '2024-01-31'::text"),
          query('begin; set datestyle = sql'),
          query('rollback'),
          query("select timestamp '2024-01-31 10:00'"),
          query('reset datestyle'),
          query('show datestyle'),
        ],
        15,
      ],
    ))

  test('executes what was prepared in another style', () =>
    same(
      ...asked("set datestyle to 'sql, dmy'"),
      ...asked(
        "prepare q as select day, day::text, date '01/02/2024', at from moments where id < 4 order by id",
        "prepare r as select day, date '01/02/2024' from moments where id = 2",
      ),
      ...styles.flatMap((style) => asked(`set datestyle to ${style}`, 'execute q', 'execute r')),
    ))

  test('searches texts in its configuration', () => {
    const searches = [
      "select label, to_tsvector(label), to_tsvector('The ' || label || 's'), to_tsquery('moments & 1'), plainto_tsquery('Two Moments') from moments order by id",
      "select id from moments where 'the moments ' || id @@ 'moment' or to_tsvector(label) @@ phraseto_tsquery('moments 3') order by id",
      "select id from moments where label @@ to_tsquery('the | moment') and 'cats' @@ websearch_to_tsquery('cat or dog') order by id",
      "select ts_headline(label, to_tsquery('moments')), to_tsvector('german', label), to_tsvector(jsonb_build_object('a', label)), json_to_tsvector(json_build_object('Cats', 'the'), '\"all\"') from moments where id = 1",
      "select to_tsvector('The cats'), 'The cats' @@ plainto_tsquery('cat')",
    ]
    return same(
      ...asked(
        `prepare s as ${searches[0]}`,
        'prepare v as select to_tsvector($1::text) from moments where id = 1',
      ),
      ...['simple', 'german', "'pg_catalog.English'", 'simple'].flatMap((name) =>
        asked(
          `set default_text_search_config to ${name}`,
          ...searches,
          'execute s',
          "execute v ('The cats')",
          "insert into written (label) values (to_tsvector('the cats')::text) returning label",
        ),
      ),
      ...asked(
        'begin',
        'set local default_text_search_config = french',
        ...searches.slice(0, 1),
        'rollback',
      ),
      ...asked('reset default_text_search_config', ...searches),
    )
  })

  test('copies rows in its style', () =>
    sameInStyles([
      [
        query(
          'copy (select day, at, length, label from moments where id < 4 order by id) to stdout',
        ),
      ],
    ]))

  test('is sent binary values, which have no style', () =>
    sameInStyles([
      [
        parse('select day, clock, at, days, during from moments order by id'),
        bind([], { resultFormats: [1] }),
        describePortal(),
        execute(),
        sync,
      ],
    ]))
})

describePostgres('Styles of dates', () => {
  let url: string
  let server: ServedDatabases
  let client: pg.Client
  beforeAll(async () => {
    url = await createDatabase('styles')
    const owner = new pg.Client({ connectionString: url })
    await owner.connect()
    await owner.query(`
      create table visits (id int4 primary key, day date, code text);
      insert into visits values (1, '2024-01-02', '2024-01-02'), (2, '2024-01-02', '01/02/2024'), (3, '2024-02-01', '2024-02-01');
      create view coded as select id, day, code, day::text as text from visits;
      create view chosen as select id, day from visits where day::text = code;
      create view whole as select id, day from visits;
      create table copied as select * from visits;`)
    await owner.end()
    const columns = ['id', 'day', 'code']
    server = await serveDatabases({
      connections: { main: { url, pool: { max: 1 } } },
      permissions: {
        visits: {
          table: 'main.visits',
          roles: ['anonymous'],
          select: { columns },
          insert: { columns, check: { day: { $eq: '2024-03-31' } } },
          delete: {},
        },
        chosen: { table: 'main.chosen', roles: ['anonymous'], select: {} },
        whole: { table: 'main.whole', roles: ['anonymous'], select: {} },
        coded: {
          table: 'main.coded',
          roles: ['anonymous'],
          select: { columns: ['id', 'day', 'text'], where: { text: { $eq: '2024-01-02' } } },
        },
      },
    })
    client = new pg.Client({ connectionString: server.url })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await server?.close()
  })
  const rows = async (sql: string, from = client): Promise<unknown> =>
    (await from.query({ text: sql, rowMode: 'array', types: { getTypeParser: () => String } })).rows

  test('never change the rows that a permission chooses', async () => {
    await client.query("set datestyle = 'sql, mdy'")
    expect(await rows('select id, day from coded order by id')).toEqual([
      ['1', '01/02/2024'],
      ['2', '01/02/2024'],
    ])
    await expect(rows('select id, day::text from coded')).rejects.toMatchObject({
      code: '0A000',
      message: expect.stringContaining('depends on DateStyle'),
    })
    await expect(
      rows('select v.id from visits v join coded c on c.id = v.id where v.day::text > v.code'),
    ).rejects.toMatchObject({ code: '0A000' })
    expect(await rows('select id from visits where day::text = code')).toEqual([['2']])
  })

  test('nor the rows that a view chooses', async () => {
    await client.query("set datestyle = 'sql, mdy'")
    const shown = [
      ['1', '01/02/2024'],
      ['3', '02/01/2024'],
    ]
    expect(await rows('select id, day from chosen order by id')).toEqual(shown)
    for (const sql of [
      'select id, day::text from chosen',
      'select c.id from chosen c, visits v where v.day::text = v.code',
      "select id, (select count(*) from chosen) from visits where day::text <> ''",
    ]) {
      await expect(rows(sql)).rejects.toMatchObject({ code: '0A000' })
    }
    expect(await rows('select id, day::text from whole where id = 2')).toEqual([
      ['2', '01/02/2024'],
    ])
  })

  test('and the rows that a check accepts stay the same', async () => {
    await client.query('set datestyle = german')
    const insert = (day: string) => rows(`insert into visits values (9, '${day}', date '${day}')`)
    await expect(insert('30.3.2024')).rejects.toMatchObject({ code: '44000' })
    await insert('31.3.2024')
    expect(await rows('select * from visits where id = 9')).toEqual([
      ['9', '31.03.2024', '31.03.2024'],
    ])
    await rows('delete from visits where id = 9')
  })

  test('belong to one session, whatever fails in it', async () => {
    const other = new pg.Client({ connectionString: server.url })
    await other.connect()
    const texts = () =>
      rows("select day, day::text, '2024-01-02'::text::date from visits where id = 1", other)
    try {
      await client.query('set datestyle = german')
      await expect(rows('select day::text, 1 / (id - 1) from visits')).rejects.toMatchObject({
        code: '22012',
      })
      expect(await texts()).toEqual([['2024-01-02', '2024-01-02', '2024-01-02']])
      await client.query('begin')
      expect(await rows('select day::text from visits where id = 1')).toEqual([['02.01.2024']])
      await client.query('rollback')
      expect(await texts()).toEqual([['2024-01-02', '2024-01-02', '2024-01-02']])
    } finally {
      await other.end()
    }
  })

  test('have no binary form beside computed texts', async () => {
    const binary = (text: string) =>
      client.query({ text, values: [1], binary: true } as pg.QueryConfig)
    await client.query('set datestyle = german')
    await expect(binary('select day, day::text from visits where id = $1')).rejects.toMatchObject({
      code: '0A000',
    })
    const { rows: texts } = await binary('select day::text from visits where id = $1')
    expect(texts).toEqual([{ day: '02.01.2024' }])
  })
})

describe('Over SQLite', () => {
  let folder: string
  let server: ServedDatabases
  let client: pg.Client
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'engine-styles-'))
    const database = new DatabaseSync(join(folder, 'moments.db'))
    database.exec(`create table moments (id integer primary key, day date, at timestamptz, label text);
      insert into moments values (1, '2024-01-31', '2024-01-02 08:30:00+00', '01/02/2024')`)
    database.close()
    server = await serveDatabases({
      connections: { main: { url: `file:${join(folder, 'moments.db')}` } },
    })
    client = new pg.Client({ connectionString: server.url })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await server?.close()
    rmSync(folder, { recursive: true })
  })
  const texts = async (sql: string) => {
    const query = { text: sql, rowMode: 'array', types: { getTypeParser: () => String } } as const
    return (await client.query(query)).rows
  }

  test('columns are written and literals read in the style of the session', async () => {
    await client.query("set datestyle = 'sql, dmy'; set intervalstyle = 'iso_8601'")
    expect(
      await texts(
        "select day, at, to_json(day), interval '1 day' from moments where day = '31/01/2024'",
      ),
    ).toEqual([['31/01/2024', '02/01/2024 08:30:00 UTC', '"2024-01-31"', 'P1D']])
    expect(await texts("select date '31/01/2024', date '31/01/2024'::text")).toEqual([
      ['31/01/2024', '31/01/2024'],
    ])
  })

  test('what it would compute in the style ISO is refused', async () => {
    await client.query("set datestyle = 'sql, dmy'")
    for (const sql of ['day::text', "'on ' || day", 'label::date']) {
      await expect(texts(`select ${sql} from moments`)).rejects.toMatchObject({
        code: '0A000',
        message: expect.stringContaining('depends on DateStyle'),
      })
    }
    await client.query('set datestyle = iso, mdy')
    expect(await texts('select day::text from moments')).toEqual([['2024-01-31']])
  })

  test('zones whose abbreviations are unknown are refused in other styles than ISO', async () => {
    await client.query("set datestyle = german; set time zone 'Europe/Berlin'")
    await expect(texts('select at from moments')).rejects.toMatchObject({ code: '0A000' })
    expect(await texts('select day from moments')).toEqual([['31.01.2024']])
    await client.query('set datestyle = iso')
    expect(await texts('select at from moments')).toEqual([['2024-01-02 09:30:00+01']])
  })
})
