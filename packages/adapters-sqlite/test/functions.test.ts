import { describePostgres } from '@engine/test-databases/vitest'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { SqliteValue } from '../src/functions/register/scalar.ts'
import { describedFunctions } from '../src/functions/register/udf-functions.ts'

type Argument = string | number | bigint | null

/** A function of the adapter, the same in PostgreSQL's spelling ($1, $2 ...), and arguments to try. */
interface Comparison {
  readonly ours: string
  readonly theirs: string
  readonly args: readonly (readonly Argument[])[]
}

const moments: readonly string[] = [
  '2024-01-31 10:05:09.25',
  '2024-02-29 00:00:00',
  '2023-12-31 23:59:59.999999',
  '1999-01-01 12:00:00',
  '0001-01-01 00:00:00',
  '2000-12-31 01:02:03.000001',
  '1970-01-01 00:00:00',
  '1969-07-20 20:17:40.5',
]

const calendarFields: readonly string[] = [
  'year',
  'month',
  'day',
  'quarter',
  'dow',
  'isodow',
  'doy',
  'week',
  'isoyear',
  'decade',
  'century',
  'millennium',
  'epoch',
]
const clockFields: readonly string[] = ['hour', 'minute', 'second', 'milliseconds', 'microseconds']
const intervals: readonly string[] = [
  '1 day',
  '1 mon',
  '-1 mons',
  '1 year 2 mons -3 days',
  '04:05:06.7',
  '-00:00:00.000001',
  '13 mons 30 days',
]
const texts: readonly string[] = [
  '',
  'a',
  'Hello World',
  'héllo wörld',
  '😀 smile',
  '  blanks  ',
  "o'Brien \\ x",
  'ÀÉÎ ß',
  'aaa-bbb-ccc',
  'x,y,,z',
  'İstanbul ΣΑΣ',
  'tab\there [1] a-b_c',
]
const counts: readonly bigint[] = [-3n, -1n, 0n, 1n, 2n, 5n, 20n]
const documents: readonly string[] = [
  '{"a": 1, "b": [1, 2, {"c": null}], "long key": "x", "": true}',
  '[1, "two", null, true, [3], {"k": "v"}]',
  '"text \\" quoted \\u00e9"',
  '12345678901234567890.10',
  'null',
  'true',
  '{}',
  '[]',
  '{"a": {"b": {"c": [10, 20, 30]}}, "n": 1.50, "z": "A"}',
]

function product(...lists: readonly (readonly Argument[])[]): readonly (readonly Argument[])[] {
  return lists.reduce<readonly (readonly Argument[])[]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  )
}

const templates: readonly string[] = [
  'YYYY-MM-DD',
  'HH24:MI:SS',
  'YYYY-MM-DD HH24:MI:SS.US',
  'FMDay, DD FMMonth YYYY',
  'Day Month Mon Dy',
  'HH12:MI AM',
  'IYYY-IW-ID',
  'Q DDD D WW',
  'DD/MM/YY',
  'yyyymmdd',
  '"at" HH24"h"',
  'MS',
  'FMMM-FMDD',
]

const paths: readonly string[] = [
  '["a"]',
  '["b","2","c"]',
  '["a","b","c","1"]',
  '["0"]',
  '["-1"]',
  '[]',
  '["x","y"]',
  '["b","9"]',
]
const pathTexts = (path: string) => `{${(JSON.parse(path) as string[]).join(',')}}`

const comparisons: readonly Comparison[] = [
  {
    ours: "pg_extract(?1, ?2, 'timestamp')",
    theirs: 'pg_catalog."extract"($1, $2::timestamp)',
    args: product([...calendarFields, ...clockFields], moments),
  },
  {
    ours: "pg_extract(?1, ?2, 'date')",
    theirs: 'pg_catalog."extract"($1, $2::date)',
    args: product(
      calendarFields,
      moments.map((m) => m.slice(0, 10)),
    ),
  },
  {
    ours: "pg_extract(?1, ?2, 'time')",
    theirs: 'pg_catalog."extract"($1, $2::time)',
    args: product(
      [...clockFields, 'epoch'],
      moments.map((m) => m.slice(11)),
    ),
  },
  {
    ours: 'pg_date_trunc(?1, ?2)',
    theirs: 'date_trunc($1, $2::timestamp)',
    args: product(
      [
        'microseconds',
        'milliseconds',
        'second',
        'minute',
        'hour',
        'day',
        'week',
        'month',
        'quarter',
        'year',
        'decade',
        'century',
        'millennium',
      ],
      moments,
    ),
  },
  {
    ours: 'pg_ts_add(?1, ?2, 1)',
    theirs: '$1::timestamp + $2::interval',
    args: product(moments, intervals),
  },
  {
    ours: 'pg_ts_add(?1, ?2, -1)',
    theirs: '$1::timestamp - $2::interval',
    args: product(moments.slice(0, 4), intervals),
  },
  {
    ours: 'pg_to_char(?1, ?2)',
    theirs: 'to_char($1::timestamp, $2)',
    args: product(
      moments.filter((m) => !m.startsWith('0001')),
      templates,
    ),
  },
  {
    ours: 'pg_date_diff(?1, ?2)',
    theirs: '$1::date - $2::date',
    args: product(['2024-01-31', '1969-12-31'], ['2024-03-01', '1900-02-28']),
  },
  {
    ours: 'pg_date_add_days(?1, ?2)',
    theirs: '$1::date + $2::int',
    args: product(['2024-02-28', '1999-12-31'], [1n, -1n, 365n, 0n]),
  },
  { ours: 'pg_to_date_cast(?1)', theirs: '$1::timestamp::date', args: product(moments) },
  { ours: 'pg_to_timestamp_cast(?1)', theirs: '$1::date::timestamp', args: [['2024-02-29']] },
  {
    ours: 'pg_epoch_between(?1, ?2)',
    theirs: 'extract(epoch from $1::timestamp - $2::timestamp)',
    args: product(moments.slice(0, 4), moments.slice(2, 6)),
  },
  {
    ours: 'pg_to_date(?1, ?2)',
    theirs: 'to_date($1, $2)',
    args: [
      ['2024-01-31', 'YYYY-MM-DD'],
      ['31/01/2024', 'DD/MM/YYYY'],
    ],
  },
  {
    ours: 'pg_to_timestamp(?1, ?2)',
    theirs: 'to_timestamp($1, $2)',
    args: [['2024-01-31 10:20:30', 'YYYY-MM-DD HH24:MI:SS']],
  },
  {
    ours: 'pg_make_date(?1, ?2, ?3)',
    theirs: 'make_date($1::int, $2::int, $3::int)',
    args: [
      [2024n, 2n, 29n],
      [1n, 1n, 1n],
    ],
  },
  { ours: 'pg_lower(?1)', theirs: 'lower($1)', args: product(texts) },
  { ours: 'pg_upper(?1)', theirs: 'upper($1)', args: product(texts) },
  { ours: 'pg_initcap(?1)', theirs: 'initcap($1)', args: product(texts) },
  { ours: 'pg_substring(?1, ?2)', theirs: 'substring($1, $2::int)', args: product(texts, counts) },
  {
    ours: 'pg_substring(?1, ?2, ?3)',
    theirs: 'substring($1, $2::int, $3::int)',
    args: product(texts.slice(2, 6), counts, [0n, 1n, 4n, 100n]),
  },
  { ours: 'pg_left(?1, ?2)', theirs: 'left($1, $2::int)', args: product(texts, counts) },
  { ours: 'pg_right(?1, ?2)', theirs: 'right($1, $2::int)', args: product(texts, counts) },
  {
    ours: 'pg_lpad(?1, ?2, ?3)',
    theirs: 'lpad($1, $2::int, $3)',
    args: product(texts, [0n, 3n, 15n, -1n], ['xy', '', '😀']),
  },
  {
    ours: 'pg_rpad(?1, ?2, ?3)',
    theirs: 'rpad($1, $2::int, $3)',
    args: product(texts, [0n, 3n, 15n], ['xy', '']),
  },
  { ours: 'pg_repeat(?1, ?2)', theirs: 'repeat($1, $2::int)', args: product(texts, counts) },
  { ours: 'pg_reverse(?1)', theirs: 'reverse($1)', args: product(texts) },
  {
    ours: 'pg_split_part(?1, ?2, ?3)',
    theirs: 'split_part($1, $2, $3::int)',
    args: product(texts, [',', '-', '', 'bb'], [1n, 2n, 9n, -1n, -2n]),
  },
  {
    ours: 'pg_translate(?1, ?2, ?3)',
    theirs: 'translate($1, $2, $3)',
    args: product(texts, ['aeo', 'lw'], ['AEO', 'x', '']),
  },
  { ours: 'pg_md5(?1)', theirs: 'md5($1)', args: product(texts) },
  {
    ours: 'hex(pg_decode(?1, ?2))',
    theirs: "upper(encode(decode($1, $2), 'hex'))",
    args: product(
      [
        '',
        'ab',
        'a\nb',
        ' aB\t0c ',
        'ab c d0',
        'abc d',
        'abc',
        'x0',
        'YQ==',
        'Y Q=\n=',
        'YQ=',
        'YQ',
      ],
      ['hex', 'HEX', 'base64'],
    ),
  },
  { ours: 'pg_to_hex(?1, 32)', theirs: 'to_hex($1::int)', args: product([0n, 255n, -1n]) },
  { ours: 'pg_ascii(?1)', theirs: 'ascii($1)', args: product(texts) },
  { ours: 'pg_chr(?1)', theirs: 'chr($1::int)', args: product([65n, 233n, 128512n]) },
  {
    ours: 'pg_replace(?1, ?2, ?3)',
    theirs: 'replace($1, $2, $3)',
    args: product(texts, ['a', 'lo', ''], ['$&', 'ZZ']),
  },
  {
    ours: 'pg_overlay(?1, ?2, ?3, ?4)',
    theirs: 'overlay($1 placing $2 from $3::int for $4::int)',
    args: product(texts.slice(1, 5), ['XX'], [1n, 3n], [0n, 2n]),
  },
  {
    ours: 'pg_concat_ws(?1, ?2, ?3)',
    theirs: 'concat_ws($1, $2::text, $3::text)',
    args: product([',', ''], ['a', null, ''], ['b', null]),
  },
  { ours: 'pg_quote_literal(?1)', theirs: 'quote_literal($1)', args: product(texts) },
  {
    ours: 'pg_format(?1, ?2, ?3)',
    theirs: 'format($1, $2::text, $3::text)',
    args: product(['%s-%s', '%2$s %1$s', '%L %%', 'plain'], ["it's", 'b'], ['c']),
  },
  {
    ours: 'pg_like(?1, ?2, ?3)',
    theirs: '$1 like $2 escape $3',
    args: product(texts, ['%o%', 'h_llo%', '\\%', '%\\\\%', '', '_'], ['\\', '', '!']),
  },
  {
    ours: 'pg_ilike(?1, ?2, ?3)',
    theirs: '$1 ilike $2 escape $3',
    args: product(texts, ['%O%', 'HÉLLO%', 'àéî%'], ['\\']),
  },
  {
    ours: 'pg_regex(?1, ?2, 0)',
    theirs: '$1 ~ $2',
    args: product(texts, ['^H', 'l+o', '[a-c]{3}-', '(a|x)', '\\d', '\\s', '^$', '.', 'wö.ld$']),
  },
  { ours: 'pg_regex(?1, ?2, 1)', theirs: '$1 ~* $2', args: product(texts, ['^h', 'WORLD', 'É']) },
  {
    ours: 'pg_regexp_replace(?1, ?2, ?3, ?4)',
    theirs: 'regexp_replace($1, $2, $3, $4)',
    args: product(texts, ['[lo]', '(.)b', 'a+'], ['<\\&>', '\\1', ''], ['', 'g', 'gi']),
  },
  {
    ours: 'pg_regex_substring(?1, ?2)',
    theirs: 'substring($1 from $2)',
    args: product(texts, ['l+o', 'o(.)', '[a-c]+', 'zzz', '(b)?']),
  },
  {
    ours: 'pg_json_get(?1, ?2)',
    theirs: '$1::jsonb -> $2',
    args: product(documents, ['a', 'b', 'long key', '', 'zz']),
  },
  {
    ours: 'pg_jsonb_get(pg_jsonb(?1), ?2)',
    theirs: '$1::jsonb -> $2::int',
    args: product(documents.slice(0, 8), [0n, 1n, -1n, 99n]),
  },
  {
    ours: 'pg_json_get_text(?1, ?2)',
    theirs: '$1::jsonb ->> $2',
    args: product(documents, ['a', 'b', 'long key', 'z']),
  },
  {
    ours: 'pg_json_path(pg_jsonb(?1), ?2)',
    theirs: '$1::jsonb #> $2::text[]',
    args: product(documents, paths),
  },
  {
    ours: 'pg_json_path_text(pg_jsonb(?1), ?2)',
    theirs: '$1::jsonb #>> $2::text[]',
    args: product(documents, paths),
  },
  {
    ours: 'pg_jsonb(?1)',
    theirs: '$1::jsonb',
    args: product([...documents, '{"b":1,"a":2,"b":3}', ' [ 1 , 2e2 ] ']),
  },
  {
    ours: 'pg_jsonb_contains(?1, ?2)',
    theirs: '$1::jsonb @> $2::jsonb',
    args: product(documents, [
      '{"a": 1}',
      '[1]',
      '"two"',
      '{}',
      '[]',
      '{"a": {"b": {}}}',
      'null',
      '[[3]]',
      '1',
    ]),
  },
  {
    ours: 'pg_jsonb_has_key(?1, ?2)',
    theirs: '$1::jsonb ? $2',
    args: product(documents, ['a', 'two', 'k', '']),
  },
  {
    ours: 'pg_jsonb_concat(?1, ?2)',
    theirs: '$1::jsonb || $2::jsonb',
    args: product(documents, ['{"a": 9}', '[7]', '"s"']),
  },
  {
    ours: 'pg_jsonb_delete_key(?1, ?2)',
    theirs: '$1::jsonb - $2',
    args: product(documents, ['a', 'two']),
  },
  {
    ours: 'pg_jsonb_delete_index(?1, ?2)',
    theirs: '$1::jsonb - $2::int',
    args: product(documents, [0n, -1n, 50n]),
  },
  {
    ours: 'pg_jsonb_delete_path(?1, ?2)',
    theirs: '$1::jsonb #- $2::text[]',
    args: product([documents[0] ?? '', documents[8] ?? ''], paths),
  },
  {
    ours: 'pg_jsonb_set(?1, ?2, ?3)',
    theirs: 'jsonb_set($1::jsonb, $2::text[], $3::jsonb)',
    args: product(documents, paths, ['"new"']),
  },
  {
    ours: 'pg_jsonb_set(?1, ?2, ?3, 0)',
    theirs: 'jsonb_set($1::jsonb, $2::text[], $3::jsonb, false)',
    args: product([documents[0] ?? '', documents[8] ?? ''], paths, ['{"x": 1}']),
  },
  {
    ours: 'pg_jsonb_insert(?1, ?2, ?3)',
    theirs: 'jsonb_insert($1::jsonb, $2::text[], $3::jsonb)',
    args: product(
      [documents[0] ?? '', documents[8] ?? ''],
      ['["new"]', '["b","0"]', '["a","b","c","1"]', '["a","b","c","-1"]'],
      ['5'],
    ),
  },
  { ours: 'pg_json_typeof(?1)', theirs: 'jsonb_typeof($1::jsonb)', args: product(documents) },
  {
    ours: 'pg_json_array_length(?1)',
    theirs: 'jsonb_array_length($1::jsonb)',
    args: product(documents),
  },
  {
    ours: 'pg_jsonb_strip_nulls(?1)',
    theirs: 'jsonb_strip_nulls($1::jsonb)',
    args: product(documents),
  },
]

describePostgres('functions of ours inside SQLite', () => {
  let client: pg.Client
  let database: Database.Database

  beforeAll(async () => {
    client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    await client.query("set timezone = 'UTC'; set datestyle = 'ISO, YMD'")
    database = new Database(':memory:')
    for (const [name, { arity, call }] of Object.entries(describedFunctions)) {
      const options = { varargs: true, safeIntegers: true }
      database.function(name, options, (...args) => {
        if (arity >= 0 && args.length !== arity) throw new Error(`${name} takes ${arity} arguments`)
        return call(...(args as SqliteValue[]))
      })
    }
  })
  afterAll(async () => {
    database?.close()
    await client?.end()
  })

  test.each(comparisons)('$ours is $theirs', async ({ ours, theirs, args }) => {
    const statement = database.prepare(`select ${ours}`).pluck().safeIntegers()
    const differences: string[] = []
    for (const values of args) {
      const given = values.map((value) => (typeof value === 'bigint' ? String(value) : value))
      const theirArgs = given.map((value, i) =>
        typeof value === 'string' && i === 1 && theirs.includes('$2::text[]')
          ? pathTexts(value)
          : value,
      )
      const expected = await client
        .query({ text: `select (${theirs})::text as v`, values: theirArgs })
        .then(
          ({ rows }) => rows[0].v as string | null,
          (error: { code?: string }) => `error ${error.code}`,
        )
      const actual = outcome(() => statement.get(numbered(values)))
      // Outside of the years 1 to 9999 texts do not sort: an error on purpose.
      const isUnsortable = actual === 'error 22008' && /^\d{5}| BC$/.test(String(expected))
      const isRefused = actual === 'error 0A000' || isUnsortable
      if (!isRefused && normal(actual) !== normal(expected)) {
        differences.push(`${JSON.stringify(given)}: ${expected} expected, got ${actual}`)
      }
    }
    expect(differences.slice(0, 5)).toEqual([])
  })
})

function outcome(run: () => unknown): string | null {
  try {
    const value = run()
    return value === null ? null : String(value)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return `error ${code.replace(/^E/, '')}`
  }
}

/** `?1` is the first value. */
function numbered(values: readonly Argument[]): Readonly<Record<number, Argument>> {
  return Object.fromEntries(values.map((value, i) => [i + 1, value]))
}

/** PostgreSQL's booleans are words, the adapter's are 0 and 1. */
function normal(text: string | null): string | null {
  return text === 'true' ? '1' : text === 'false' ? '0' : text
}
