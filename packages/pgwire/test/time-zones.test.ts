/** A session in another zone computes there, as it would on PostgreSQL itself. */
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, test } from 'vitest'
import {
  bind,
  describePortal,
  describeStatement,
  execute,
  parse,
  query,
  sync,
} from './support/recording-client.ts'
import { type Comparison, openComparison, type Step } from './support/same-as-postgres.ts'

/** Timestamps around offset changes of several zones, and some that have no local time. */
const setUp = `
  create table main.moments (
    id int4 primary key, at timestamptz, clock timestamp, day date, time_of_day time, moments timestamptz[],
    during tstzrange, label text
  );
  insert into main.moments
    select n, at, at at time zone 'UTC', (at at time zone 'UTC')::date, (at at time zone 'UTC')::time,
      array[at, null, at + interval '1 hour'], tstzrange(at, at + interval '90 minutes'), 'moment ' || n
    from unnest(array[
      '2024-03-30 23:30:00+00', '2024-03-31 00:30:00+00', '2024-03-31 01:00:00+00', '2024-03-31 02:30:00.25+00',
      '2024-10-26 23:30:00+00', '2024-10-27 00:15:00+00', '2024-10-27 01:15:00+00', '2024-10-27 02:30:00+00',
      '2024-03-10 06:30:00+00', '2024-03-10 07:00:00+00', '2024-11-03 05:30:00+00', '2024-11-03 06:30:00+00',
      '2023-12-31 18:45:00+00', '2024-02-29 23:59:59.999999+00', '1969-07-20 20:17:40+00', '1800-06-01 12:00:00+00'
    ]::timestamptz[]) with ordinality as t (at, n);
  insert into main.moments (id, at, clock, day) values (20, 'infinity', '-infinity', 'infinity'), (21, null, null, null);
  create table main.written (
    id int4 primary key, at timestamptz, clock timestamp, day date, label text, made date default current_date
  );`

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', '<+13>-13']

/** Before, in and after hours that a change skips or repeats, in years of all kinds. */
const clocks = [
  '0300-01-01',
  '1899-12-31',
  '2000-02-29',
  '2024-03-01',
  '2024-12-31',
  '2025-03-30',
  '2101-10-30',
  '9999-10-31',
].flatMap((day) => ['00:30', '01:30', '02:15', '21:59', '23:00'].map((time) => `${day} ${time}`))

const setZone = (zone: string) => query(`set time zone '${zone}'`)

/** For each row of `moments`. */
const expressions = [
  'at',
  'at::date',
  'at::time',
  'at::timetz',
  'at::timestamp',
  'at::text',
  'at::varchar(16)',
  'clock::timestamptz',
  'day::timestamptz',
  "date_trunc('day', at)",
  "date_trunc('hour', at)",
  "date_trunc('week', at)",
  "date_trunc('month', at)",
  "date_trunc('quarter', at)",
  "date_trunc('year', at)",
  "date_trunc('day', at, 'Asia/Tokyo')",
  'extract(hour from at)',
  'extract(day from at)',
  'extract(dow from at)',
  'extract(week from at)',
  'extract(epoch from at)',
  'extract(timezone from at)',
  'extract(timezone_hour from at)',
  "date_part('hour', at)",
  "date_part('epoch', at)",
  "to_char(at, 'YYYY-MM-DD HH24:MI:SS.US')",
  "to_char(at, 'Day Mon TZH:TZM OF')",
  "at + interval '1 day'",
  "at - interval '1 month'",
  "at + interval '1 day 2 hours'",
  "at + interval '24 hours'",
  "nullif(at, 'infinity') - timestamptz '2024-01-01'",
  "age(at, timestamptz '2024-01-15 12:00')",
  "at at time zone 'UTC'",
  "(at at time zone 'Asia/Tokyo')::date",
  'at = clock',
  'at < clock',
  'day < at',
  'at > day',
  "at > '2024-03-31 02:30'",
  "at between '2024-03-31' and '2024-04-01'",
  "at >= date '2024-03-31'",
  "at in ('2024-03-31 02:00', '2024-03-31 03:00')",
  "clock < timestamptz '2024-03-31 02:30'",
  'moments',
  'moments::text',
  "moments = '{2024-03-31 00:30,NULL,2024-03-31 01:30}'",
  "array_to_string(moments, ',')",
  'during',
  'during::text',
  'to_json(at)',
  'to_jsonb(at)',
  "json_build_object('at', at, 'clock', clock)",
  'jsonb_build_array(at, moments)',
  'row_to_json(m)',
  "at || ''",
  "concat(at, '/', clock)",
  "format('%s', at)",
  'make_timestamptz(2024, 3, 31, 2, 30, 0)',
  "make_timestamptz(2024, 3, 31, 2, 30, 0, 'America/New_York')",
  "to_timestamp('2024-03-31 02:30', 'YYYY-MM-DD HH24:MI')",
  'to_timestamp(1711846800)',
  "timestamptz '2024-10-27 02:30'",
  "'2024-10-27 02:30'::text::timestamptz",
  "timestamp '2024-03-31 02:30'::timestamptz",
  "coalesce(at, '2024-06-01')",
  "greatest(at, '2024-06-01 00:00')",
  "case when at::time < '06:00' then 'night' else 'day' end",
  "time_of_day::timetz = '12:00'",
  "date_bin(interval '1 day', at, timestamptz '2024-01-01')",
]

describePostgres('In a time zone of its own a session', () => {
  let comparison: Comparison
  beforeAll(async () => {
    comparison = await openComparison(setUp)
  })
  afterAll(() => comparison?.close())
  const same = async (...steps: readonly Step[]): Promise<void> => {
    await comparison.same(...steps)
  }
  /** One after the other, on the same connection. */
  const sameInZones = (...steps: readonly Step[]): Promise<void> => sameIn(zones, ...steps)
  const sameIn = (names: readonly string[], ...steps: readonly Step[]): Promise<void> =>
    same(...names.flatMap((zone): readonly Step[] => [[[setZone(zone)]], ...steps]))

  test.each(expressions)('finds %s as PostgreSQL does', (expression) =>
    sameInZones([[query(`select id, ${expression} as value from moments m order by id`)]]),
  )

  test.each([
    "select date_trunc('day', at) as day, count(*) from moments group by 1 order by 1",
    'select at::date as day, min(at), max(at), array_agg(at order by at) from moments group by at::date order by 1',
    "select extract(hour from at)::int as hour, string_agg(at::text, ' ' order by id) from moments group by hour order by 1",
    "select id from moments where at::date = '2024-03-31' order by id",
    'select id, at from moments order by at::time, id',
    "select id from moments where (at::date, id) > ('2024-03-31', 2) order by id",
    "select id, first_value(at) over (partition by date_trunc('month', at) order by at, id) from moments order by id",
    "select id, count(*) over (order by at range between interval '1 day' preceding and current row) from moments where id < 17 order by id",
    "select g from generate_series(timestamptz '2024-03-30', '2024-04-01', interval '12 hours') g, moments where id = 1",
    "select g::date from generate_series(timestamptz '2024-10-26', '2024-10-28', interval '1 day') g, moments where id = 1",
    'with days as (select at::date as day from moments) select day, count(*) from days group by day order by day',
    'select jsonb_agg(m order by id) from moments m where id < 4',
    'select (select max(o.at::date) from moments o where o.id < m.id) from moments m where id < 5 order by id',
    'select distinct at::date from moments order by 1',
    'select at::date from moments union select day from moments order by 1',
    'select now()::date = current_date, localtimestamp = now()::timestamp, current_date + 1 > now() from moments where id = 1',
    "select 'today'::date = current_date, 'tomorrow'::date - current_date, 'yesterday'::timestamp = current_date - 1 from moments where id = 1",
    "select 'today'::timestamptz = date_trunc('day', now()), 'now'::timestamptz = now(), timestamp 'now' = localtimestamp from moments where id = 1",
    "select 'now'::time = localtime, timestamp 'tomorrow 10:30' = current_date + 1 + time '10:30' from moments where id = 1",
    "select timestamptz 'yesterday 10:30' = (current_date - 1 + time '10:30')::timestamptz, 'allballs'::timetz from moments where id = 1",
    "select 'epoch'::date, 'epoch'::timestamp, 'epoch'::timestamptz, 'allballs'::time, 'today'::timestamp + interval '1 month' > now() from moments where id = 1",
    "select id from moments where at < 'tomorrow' and day < 'today' and clock < 'yesterday' and time_of_day > 'allballs' order by id",
    "select id from moments where at in ('epoch', 'now') or day = 'infinity' or at > 'tomorrow 12:00' order by id",
    "select now() - interval '1 month' < now(), localtime = now()::time, current_time = now()::timetz from moments where id = 1",
  ])('gets the answer of PostgreSQL to %s', (sql) => sameInZones([[query(sql)]]))

  test('is sent values in binary', () =>
    sameInZones([
      [
        parse(
          "select at, at::date, at::timestamp, at::timetz, moments, during, at - interval '1 day', $1::timestamptz, $2::timestamp::timestamptz from moments where at::date > $3 order by id",
        ),
        describeStatement(),
        bind(['2024-03-31 02:30', '2024-10-27 02:30', '1900-01-01'], { resultFormats: [1] }),
        describePortal(),
        execute(3),
        execute(),
        sync,
      ],
    ]))

  test('computes by the rules in the name of the zone', () =>
    sameIn(
      [
        'cst6cdt,M3.5.0/1,M10.5.0/2:30',
        '<+10>-10<+1030>-10:30,J274/-1,J91/26',
        'A5B4:30,300,60/-26',
      ],
      [
        [
          query('show timezone'),
          query(
            "select id, at, at::date, at + interval '7 months', clock::timestamptz, moments, during::text from moments order by id",
          ),
          query('set datestyle to postgres'),
          query("select at, timestamptz '2024-07-01 12:00' from moments where id < 9 order by id"),
          query('set datestyle to iso'),
        ],
        5,
      ],
      [
        [
          parse(
            'select c::timestamptz from moments, unnest($1::timestamp[]) c where id = 1 union all select t from moments, unnest($2::timestamptz[]) t where id = 1',
          ),
          bind(Array.from({ length: 2 }, () => `{${clocks.map((clock) => `"${clock}"`).join()}}`)),
          execute(),
          sync,
        ],
      ],
    ))

  test('executes what was prepared in another one: literals stay, the rest is computed anew', () =>
    same(
      [
        [
          query(
            "prepare q as select at, at::date, at::text, timestamptz '2024-01-01 00:30', now() - interval '1 month' < now() from moments where at > '2024-03-10 01:45' order by id limit 3",
          ),
        ],
      ],
      [[parse('select at::date, $1::timestamptz from moments where id = 5', 'p'), sync]],
      ...zones.flatMap((zone): readonly Step[] => [
        [[setZone(zone)]],
        [[query('execute q')]],
        [[bind(['2024-06-01 00:00'], { statement: 'p' }), execute(), sync]],
      ]),
      [
        [
          query(
            "prepare r as select at::date, timestamptz '2024-01-01 00:30' from moments where id = 5",
          ),
        ],
      ],
      [[setZone('UTC')]],
      [[query('execute q'), query('execute r')], 2],
    ))

  test('fetches from a cursor between other statements', () =>
    sameInZones(
      [
        [
          query('begin'),
          query('declare c cursor for select id, at::date, at from moments order by id'),
        ],
        2,
      ],
      [[query('fetch 3 from c'), query('select at, clock from moments where id = 5')], 2],
      [[query('fetch 3 from c'), query('select at::text from moments where id = 5')], 2],
      [
        [query('fetch all from c'), query('commit'), query('select at from moments where id = 1')],
        3,
      ],
    ))

  test('reads now, today and the like in its zone, also where they are parameters or are written', () =>
    sameIn(
      ['UTC', ...zones],
      [
        [
          parse(
            "select $1::date = current_date, $2::timestamptz = date_trunc('day', now()), $3::timestamp = current_date + 1, abs(extract(epoch from $4::timestamptz - clock_timestamp())) < 3600, $5::date[] = array[current_date] from moments where id = 1",
          ),
          bind(['today', 'today', 'tomorrow', 'now', '{today}']),
          execute(),
          sync,
        ],
      ],
      [[query('begin')]],
      [
        [
          query(
            "insert into written (id, at, clock, day) values (1, 'tomorrow', 'yesterday', 'today') returning at = (current_date + 1)::timestamptz, clock = current_date - 1, day = current_date",
          ),
        ],
      ],
      [
        [
          query(
            "update written set at = 'today', day = 'tomorrow' returning at::date = current_date, day - current_date",
          ),
        ],
      ],
      [[query('rollback')]],
    ))

  test('reads now as the start of the transaction', () =>
    sameIn(
      ['UTC', 'Europe/Berlin'],
      [
        [
          query('begin'),
          query("insert into written (id, at, clock, day) values (1, 'now', 'now', 'now')"),
          query('select pg_sleep(0.01)'),
          parse('insert into written (id, at, clock) values (2, $1, $2)'),
          bind(['now', 'now']),
          execute(),
          sync,
        ],
        4,
      ],
      [
        [
          query(
            'insert into written (id, at, clock) values (3, now(), localtimestamp), (4, current_timestamp, transaction_timestamp())',
          ),
        ],
      ],
      [
        [
          query(
            'select count(*), count(distinct at), count(distinct clock), bool_and(at = now()) from written',
          ),
          query(
            'select now() < statement_timestamp(), now() < clock_timestamp(), current_date = now()::date from written where id = 1',
          ),
          query('rollback'),
          query('select now() = statement_timestamp() from moments where id = 1'),
          query(
            'insert into written (id, at) values (5, now()); select pg_sleep(0.01); select at = now() from written; delete from written',
          ),
        ],
        5,
      ],
    ))

  test('reads words of days beside times, and within arrays', () =>
    sameInZones(
      [
        [
          query(
            "select timestamp '10:30 today' = current_date + time '10:30', timestamptz '10:30 PM tomorrow' = (current_date + 1 + time '22:30')::timestamptz, date '10:30 yesterday' = current_date - 1 from moments where id = 1",
          ),
        ],
      ],
      [
        [
          query(
            "select '{today,NULL,2024-01-31,\"tomorrow\"}'::date[] = array[current_date, null, '2024-01-31', current_date + 1], '{now}'::timestamptz[] = array[now()] from moments where id = 1",
          ),
        ],
      ],
      [[query("select id from moments where day = any ('{today,2024-03-31}') order by id")]],
      [[query("select timestamp 'now 10:30' from moments")]],
      [[query("select '{todays}'::date[] from moments")]],
    ))

  test('reads abbreviations that have had several offsets by the rules of the database', () =>
    sameIn(
      ['UTC', 'Europe/Berlin'],
      ...['1991-06-01', '2011-01-01 10:00', '2011-03-27 02:30', '2014-10-26 01:30'].map(
        (clock): Step => [
          [
            query(
              `select '${clock} MSK'::timestamptz, '${clock} VET'::timestamptz(0), '${clock} MSK'::timestamp, date '${clock} MSK', '{"${clock} MSK",now}'::timestamptz[] > '{epoch}' from moments where id = 1`,
            ),
          ],
        ],
      ),
      [[query("select id from moments where at < '2014-10-26 01:30 MSK' order by id")]],
      [[query("select '2011-03-27 25:00 MSK'::timestamptz from moments where id = 1")]],
      [
        [
          query('begin'),
          query("insert into written (id, at) values (1, '2012-01-01 10:00 MSK') returning at"),
          query("update written set at = '2010-01-01 10:00 MSK' returning at"),
          query('rollback'),
        ],
        4,
      ],
    ))

  test('has the rules that the database has for the zone, whatever this process knows', () =>
    sameIn(
      ['CET', 'EST5EDT', 'PST8PDT', 'Europe/Amsterdam', 'Africa/Casablanca'],
      [
        [
          query(
            "select '1697-02-16 12:00+00'::timestamptz, '1883-11-18 20:00+00'::timestamptz, '1916-05-01 00:10+00'::timestamptz, '1950-07-01 12:00+00'::timestamptz, '2027-02-10 12:00+00'::timestamptz, '2087-05-01 12:00+00'::timestamptz, '2187-05-01 12:00+00'::timestamptz from moments where id = 1",
          ),
        ],
      ],
      [[query('select at, moments, during from moments order by id')]],
      [[query('begin')]],
      [
        [
          query(
            "insert into written (id, at) values (1, '1697-02-16 12:00'), (2, '1916-07-01 12:00'), (3, '1950-07-01 12:00'), (4, '2027-02-10 12:00') returning extract(epoch from at)",
          ),
        ],
      ],
      [
        [
          parse(
            "insert into written (id, at) values (5, $1), (6, $2), (7, '1940-07-01 12:00 Europe/Amsterdam') returning at, extract(epoch from at)",
          ),
          bind(['1883-01-01 12:00', '2027-02-10 12:00']),
          execute(),
          sync,
        ],
      ],
      [[query('rollback')]],
    ))

  test('writes what was computed there', () =>
    sameInZones(
      [[query('begin')]],
      [
        [
          query(
            "insert into written (id, at, clock, day, label) values (1, timestamp '2024-03-31 02:30', timestamptz '2024-06-01 22:30+00', timestamptz '2024-06-01 22:30+00', timestamptz '2024-06-01 22:30+00'::text) returning id, at, clock, day, label",
          ),
        ],
      ],
      [
        [
          parse(
            'insert into written (id, at, day) values ($1, $2, ($3::timestamptz)::date) returning *',
            '',
            [23, 1114, 1184],
          ),
          bind(['2', '2024-10-27 02:30', '2024-10-27 23:30+00']),
          describePortal(),
          execute(),
          sync,
        ],
      ],
      [[query('update written set day = at::date, clock = at where id = 2 returning day, clock')]],
      [
        [
          query(
            'insert into written (id, day, at) select id + 100, at::date, day from moments where id < 5 returning id, at, day',
          ),
        ],
      ],
      [[query("delete from written where at::date = '2024-10-27' returning id")]],
      [[query('select id, at, clock, day, label from written order by id')]],
      [[query('rollback')]],
    ))

  test('goes on there after an error, and leaves it when it wants to', () =>
    sameInZones(
      [[query('insert into written (id, day) select 1 / (id - 3), at::date from moments')]],
      [[query('select at, clock from moments where id = 3')]],
      [[query('begin')]],
      [[query('insert into written (id) values (1)')]],
      [[query('savepoint a')]],
      [[query('insert into written (id, day) select 1, at::date from moments where id = 1')]],
      [[query('rollback to a')]],
      [[query('select id, day from written')]],
      [[query('select at::date, at from moments where id = 1')]],
      [[query('rollback')]],
      [
        [
          query("set time zone 'UTC'"),
          query('select at::date, at::text from moments where id < 4 order by id'),
        ],
        2,
      ],
    ))
})
