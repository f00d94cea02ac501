import { describe, expect, test } from 'vitest'
import { oids } from '../sql-types/oids.ts'
import { bindShop, shopError } from './test-support/bind-shop-for-test.ts'

const tokyo = {
  timeZone: {
    name: 'Asia/Tokyo',
    computedIn: 'Asia/Tokyo',
    withOffset: (typeOid: number, text: string) =>
      typeOid === oids.timestamptz ? `${text}+09` : text,
  },
}
const moment = '$1::timestamptz'

describe('in another zone than UTC', () => {
  test.each([
    [`select ${moment}::date from main.orders`, 'a cast from timestamp with time zone to date'],
    [`select ${moment}::text from main.orders`, 'a cast from timestamp with time zone to text'],
    [`select (${moment})::timestamp from main.orders`, 'a cast from timestamp with time zone to'],
    [
      'select placed_at::timestamptz from main.orders',
      'a cast from timestamp without time zone to',
    ],
    [`select array[${moment}]::text from main.orders`, 'a cast from timestamp with time zone[] to'],
    [`select tstzrange(${moment}, null)::text from main.orders`, 'a cast from tstzrange to text'],
    [
      `select tstzmultirange(tstzrange(${moment}, null))::text from main.orders`,
      'a cast from tstzmultirange to text',
    ],
    [`select to_json(array[tstzrange(${moment}, null)]) from main.orders`, 'to_json()'],
    [
      `select timestamptz_pl_interval(${moment}, '1 day') from main.orders`,
      'timestamptz_pl_interval()',
    ],
    [`select date_trunc('day', ${moment}) from main.orders`, 'date_trunc()'],
    [`select extract(hour from ${moment}) from main.orders`, 'extract()'],
    [`select to_char(${moment}, 'YYYY') from main.orders`, 'to_char()'],
    [`select to_json(${moment}) from main.orders`, 'to_json()'],
    [`select json_build_object('at', ${moment}) from main.orders`, 'json_build_object()'],
    [`select json_agg(q) from (select ${moment} as at from main.orders) q`, 'json_agg()'],
    [`select age(${moment}, ${moment}) from main.orders`, 'age()'],
    ['select make_timestamptz(2024, 1, 1, 0, 0, 0) from main.orders', 'make_timestamptz()'],
    [`select ${moment} || '' from main.orders`, 'the operator ||'],
    [`select id from main.orders where placed_at < ${moment}`, 'the operator <'],
    ['select current_date from main.orders', 'the current date'],
    ['select localtimestamp from main.orders', 'the current timestamp without time zone'],
    [`select id from main.orders order by ${moment}::date`, 'a cast from'],
    [`update main.orders set placed_at = ${moment}`, 'a cast from timestamp with time zone to'],
  ])('%s is refused', (sql, construct) => {
    expect(() => bindShop(sql)).not.toThrow()
    const { message, sqlState, status, details } = shopError(sql, tokyo)
    expect(message).toContain(`${construct}`)
    expect(message).toContain('depends on the time zone of the session')
    expect({ sqlState, status, details }).toEqual({
      sqlState: '0A000',
      status: 400,
      details: { hint: "SET TIME ZONE 'UTC', or use AT TIME ZONE." },
    })
  })

  test.each([
    `select ${moment}, now(), placed_at, placed_at::date, placed_at::text from main.orders`,
    `select id from main.orders where ${moment} < now() and ${moment} in (now(), $2)`,
    `select tstzrange(${moment}, null) @> ${moment}, range_agg(tstzrange(${moment}, null)) from main.orders`,
    `select ${moment} + interval '1 day', ${moment} - now() from main.orders`,
    `select (${moment} at time zone 'Asia/Tokyo')::date from main.orders`,
    `select placed_at at time zone 'Asia/Tokyo' from main.orders`,
    `select min(${moment}), max(${moment}), count(${moment}), array_agg(${moment}) from main.orders`,
    `select extract(epoch from ${moment}), to_timestamp(0) from main.orders`,
    `select date_trunc('day', ${moment}, 'Asia/Tokyo') from main.orders`,
    `select coalesce(${moment}, '2024-01-01'), greatest(${moment}, now()) from main.orders`,
    `select date_trunc('day', placed_at), extract(hour from placed_at) from main.orders`,
    'select to_json(placed_at), json_agg(o) from main.orders o group by placed_at',
  ])('%s is answered', (sql) => {
    expect(() => bindShop(sql, tokyo)).not.toThrow()
  })

  test('the place is told', () => {
    expect(shopError('select id, current_date from main.orders', tokyo)).toMatchObject({
      position: 12,
    })
  })
})

const styled = (dateStyle: string, intervalStyle = 'postgres') => ({
  timeZone: {
    name: `${dateStyle} ${intervalStyle}`,
    computedIn: undefined,
    withOffset: (_typeOid: number, text: string) => text,
    styles: {
      settings: { timeZone: 'UTC', dateStyle, intervalStyle },
      writesAbbreviations: false,
    },
  },
})
const german = styled('German, DMY')
const verbose = styled('ISO, MDY', 'postgres_verbose')

describe('in another style than ISO', () => {
  test.each([
    ['select placed_at::text from main.orders', 'a cast from timestamp without time zone to text'],
    ["select 'on ' || placed_at from main.orders", 'the operator ||'],
    ["select concat(placed_at, '') from main.orders", 'concat()'],
    ["select format('%s', placed_at) from main.orders", 'format()'],
    ['select quote_literal(placed_at) from main.orders', 'quote_literal()'],
    ["select array_to_string(array[placed_at], ',') from main.orders", 'array_to_string()'],
    ['select array[placed_at]::text[] from main.orders', 'a cast from timestamp without time zone'],
    ['select to_json(tsrange(placed_at, null)) from main.orders', 'to_json()'],
    ['select id from main.orders where id::text::date = $1', 'a cast from text to date'],
    ["select '2024-01-02'::text::timestamp from main.orders", 'a cast from text to timestamp'],
  ])('%s is refused where the database writes ISO only', (sql, construct) => {
    expect(shopError(sql, german)).toMatchObject({
      code: 'BAD_REQUEST',
      sqlState: '0A000',
      message: expect.stringContaining(`${construct}`),
      details: { hint: expect.stringContaining('DateStyle') },
    })
    expect(() => bindShop(sql, { ...german, hasSettings: true })).not.toThrow()
    expect(() => bindShop(sql, verbose)).not.toThrow()
  })

  test.each([
    "select interval '1 day' * id from main.orders where id::text = '1'",
    "select to_char(placed_at, 'YYYY'), extract(year from placed_at), placed_at + interval '1 day' from main.orders",
    'select to_json(placed_at), json_build_object(id, placed_at), json_agg(o) from main.orders o group by id, placed_at',
    "select id from main.orders where placed_at > '2024-01-31' and placed_at::date = $1",
    'select placed_at, array[placed_at], tsrange(placed_at, null), array_agg(placed_at) from main.orders group by placed_at',
  ])('%s is answered', (sql) => {
    expect(() => bindShop(sql, german)).not.toThrow()
    expect(() => bindShop(sql, verbose)).not.toThrow()
  })

  test.each([
    "select (interval '1 day' * id)::text from main.orders",
    "select to_json(interval '1 day' * id) from main.orders",
  ])('%s is refused in another style of intervals', (sql) => {
    expect(shopError(sql, verbose)).toMatchObject({ sqlState: '0A000' })
    expect(() => bindShop(sql, german)).not.toThrow()
  })

  test('a text is read in the order of the session, or refused', () => {
    const sql = 'select (id::text)::date from main.orders'
    expect(shopError(sql, styled('ISO, DMY'))).toMatchObject({ sqlState: '0A000' })
    expect(() => bindShop(sql, styled('SQL, MDY'))).not.toThrow()
  })
})
