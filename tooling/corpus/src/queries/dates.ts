import { anyOrder, inOrder, onPostgres, type QueryCase, queries } from '../case.ts'

export const dates: readonly QueryCase[] = queries('dates', [
  inOrder(
    'dates and times on the wire',
    `select id, order_date, paid_at, shipped_on from {orders} order by id`,
  ),
  inOrder(
    'sample dates on the wire',
    `select id, c_date, c_time, c_timestamp, c_timestamptz from {type_samples} order by id`,
  ),
  inOrder(
    'spellings of dates and times as parameters',
    `select $1::date, $2::timestamptz, $3::timestamp, $4::timestamptz, $5::time, $6::date, $7::timestamptz, $8::timestamptz`,
    [
      '01/05/2026',
      'Mon Jan 05 2026 10:00:00 GMT-0100',
      'Jan 5, 2026 10:30 PM',
      '20260105T101500+0530',
      '10:15 pm',
      'J2451187',
      '2026-07-05 10:00 Europe/Berlin',
      '5 January 2026 10:30 EST',
    ],
  ),
  inOrder(
    'spellings of dates and times as literals',
    `select date '1/8/1999', timestamptz 'Fri, 08 Jan 1999 10:00:00 GMT', timestamp '1999-008 04:05', time '040506'`,
  ),
  inOrder(
    'words for the present time as parameters',
    `select $1::date = current_date, $2::timestamptz = now(), $3::date - current_date, $4::timestamp = current_date + time '10:30'`,
    ['today', 'now', 'tomorrow', 'today 10:30'],
  ),
  inOrder('order by timestamp', `select order_date, id from {orders} order by order_date, id`),
  inOrder(
    'order by date with nulls',
    `select shipped_on, id from {orders} order by shipped_on desc, id limit 40`,
  ),
  inOrder(
    'order by timestamptz',
    `select paid_at, id from {orders} order by paid_at nulls first, id`,
  ),
  inOrder(
    'timestamp range',
    `select id from {orders} where order_date >= '2024-01-01' and order_date < '2024-04-01' order by id`,
  ),
  inOrder(
    'timestamp between',
    `select id from {orders} where order_date between timestamp '2023-06-01' and timestamp '2023-07-01 12:00' order by id`,
  ),
  inOrder(
    'date equals timestamp',
    `select date '2024-01-31' = timestamp '2024-01-31 00:00:00', date '2024-01-31' < timestamp '2024-01-31 00:00:01'`,
  ),
  inOrder(
    'date column and timestamp column',
    `select id from {orders} where shipped_on > order_date order by id`,
  ),
  inOrder(
    'midnight timestamp and date',
    `select id from {orders} where order_date = date '2023-01-31' order by id`,
  ),
  inOrder(
    'ISO spelling in a literal',
    `select count(*) from {orders} where order_date > '2024-01-31T00:00:00'`,
  ),
  inOrder(
    'fraction zeros in a literal',
    `select label from {type_samples} where c_timestamp = '2024-01-31 10:30:00.250000'`,
  ),
  inOrder(
    'fraction compare',
    `select label from {type_samples} where c_timestamp > '2024-01-31 10:30:00.2' and c_timestamp < '2024-01-31 10:30:00.3'`,
  ),
  inOrder(
    'now is one instant',
    `select now() = now(), current_timestamp = now(), now() > timestamptz '2020-01-01', current_date > date '2020-01-01'`,
  ),
  inOrder(
    'localtimestamp',
    `select localtimestamp > timestamp '2020-01-01', current_date = current_date`,
  ),
  inOrder(
    'extract year month day',
    `select id, extract(year from order_date), extract(month from order_date), extract(day from order_date) from {orders} order by id`,
  ),
  inOrder(
    'extract clock',
    `select id, extract(hour from order_date), extract(minute from order_date) from {orders} order by id`,
  ),
  inOrder(
    'extract second with fraction',
    `select id, extract(second from order_date) from {orders} order by id`,
  ),
  inOrder(
    'extract milliseconds',
    `select id, extract(milliseconds from c_timestamp), extract(microseconds from c_timestamp) from {type_samples} order by id`,
  ),
  inOrder(
    'extract weekdays',
    `select id, extract(dow from order_date), extract(isodow from order_date) from {orders} order by id`,
  ),
  inOrder(
    'extract day of year',
    `select id, extract(doy from order_date), extract(quarter from order_date) from {orders} order by id`,
  ),
  inOrder(
    'extract ISO week',
    `select id, extract(week from c_date), extract(isoyear from c_date) from {type_samples} order by id`,
  ),
  inOrder(
    'extract decade and century',
    `select id, extract(decade from c_date), extract(century from c_date), extract(millennium from c_date) from {type_samples} order by id`,
  ),
  inOrder('extract epoch', `select id, extract(epoch from order_date) from {orders} order by id`),
  inOrder(
    'extract epoch of samples',
    `select id, extract(epoch from c_timestamp) from {type_samples} order by id`,
  ),
  inOrder(
    'extract epoch of a date and a timestamptz',
    `select extract(epoch from date '2024-02-29'), extract(epoch from timestamptz '2024-02-29 12:00:00.5+00')`,
  ),
  inOrder(
    'extract from a date',
    `select extract(year from shipped_on), extract(day from shipped_on), count(*) from {orders} group by 1, 2 order by 1, 2`,
  ),
  inOrder(
    'extract from a time',
    `select id, extract(hour from c_time), extract(second from c_time) from {type_samples} order by id`,
  ),
  inOrder(
    'date_part is a float',
    `select id, date_part('year', order_date), date_part('second', order_date) from {orders} where id < 40 order by id`,
  ),
  inOrder(
    'extract in a condition',
    `select id from {orders} where extract(year from order_date) = 2024 and extract(month from order_date) in (2, 12) order by id`,
  ),
  inOrder(
    'extract as int',
    `select extract(year from order_date)::int as y, count(*) from {orders} group by 1 order by 1`,
  ),
  inOrder(
    'date_trunc month',
    `select date_trunc('month', order_date) as m, count(*) from {orders} group by 1 order by 1`,
  ),
  inOrder(
    'date_trunc year and quarter',
    `select id, date_trunc('year', order_date), date_trunc('quarter', order_date) from {orders} order by id`,
  ),
  inOrder('date_trunc week', `select id, date_trunc('week', order_date) from {orders} order by id`),
  inOrder(
    'date_trunc week around new year',
    `select id, date_trunc('week', c_timestamp) from {type_samples} where c_timestamp > '1900-01-01' order by id`,
  ),
  inOrder(
    'date_trunc day hour minute second',
    `select id, date_trunc('day', order_date), date_trunc('hour', order_date), date_trunc('minute', order_date), date_trunc('second', order_date) from {orders} order by id`,
  ),
  inOrder(
    'date_trunc milliseconds',
    `select id, date_trunc('milliseconds', c_timestamp) from {type_samples} order by id`,
  ),
  inOrder(
    'date_trunc of a date',
    `select date_trunc('month', date '2024-02-29')::date, date_trunc('year', shipped_on)::date from {orders} where id < 30 order by id`,
  ),
  inOrder(
    'date plus days',
    `select date '2024-02-28' + 1, date '2024-02-28' + 2, date '2024-03-01' - 1, 1 + date '2023-12-31'`,
  ),
  inOrder(
    'date column plus days',
    `select id, shipped_on + 30, shipped_on - 1 from {orders} order by id`,
  ),
  inOrder(
    'date minus date',
    `select date '2024-03-01' - date '2024-02-28', date '2024-01-01' - date '2024-12-31', date '2000-01-01' - date '0001-01-01'`,
  ),
  inOrder(
    'date column difference',
    `select id, shipped_on - order_date::date from {orders} order by id`,
  ),
  inOrder(
    'timestamp plus days',
    `select id, order_date + interval '1 day', order_date - interval '90 days' from {orders} order by id`,
  ),
  inOrder(
    'timestamp plus months',
    `select id, order_date + interval '1 month' from {orders} order by id`,
  ),
  inOrder(
    'month ends',
    `select timestamp '2024-01-31' + interval '1 month', timestamp '2023-01-31' + interval '1 month', timestamp '2024-03-31' - interval '1 month', timestamp '2024-02-29' + interval '1 year'`,
  ),
  inOrder(
    'months then days',
    `select timestamp '2024-01-31 10:00' + interval '1 month 1 day', timestamp '2024-01-30' + interval '1 mon 2 days 03:04:05'`,
  ),
  inOrder(
    'timestamp plus hours keeps the fraction',
    `select timestamp '2024-02-28 23:59:59.999999' + interval '1 second', order_date + interval '36 hours 15 minutes' from {orders} where id < 30 order by id`,
  ),
  inOrder(
    'date plus interval is a timestamp',
    `select date '2024-01-31' + interval '1 month', shipped_on + interval '1 day' from {orders} where id < 40 order by id`,
  ),
  inOrder(
    'interval comparison of columns',
    `select id from {orders} where shipped_on > order_date + interval '30 days' order by id`,
  ),
  inOrder(
    'recent rows',
    `select count(*) from {orders} where order_date > now() - interval '200 years'`,
  ),
  inOrder(
    'interval times a number',
    `select timestamp '2024-01-01' + 3 * interval '1 day', timestamp '2024-01-01' + interval '1 hour' * 2`,
  ),
  inOrder(
    'epoch of a difference',
    `select id, extract(epoch from (paid_at - timestamptz '2023-01-01')) from {orders} order by id`,
  ),
  inOrder(
    'to_char numbers',
    `select id, to_char(order_date, 'YYYY-MM-DD HH24:MI:SS') from {orders} order by id`,
  ),
  inOrder(
    'to_char month',
    `select to_char(order_date, 'YYYY-MM') as ym, count(*) from {orders} group by 1 order by 1`,
  ),
  inOrder(
    'to_char names',
    `select id, to_char(order_date, 'Mon'), to_char(order_date, 'Month'), to_char(order_date, 'FMMonth'), to_char(order_date, 'Dy'), to_char(order_date, 'Day') from {orders} where id < 40 order by id`,
  ),
  inOrder(
    'to_char clock',
    `select id, to_char(order_date, 'HH12:MI AM'), to_char(order_date, 'HH:MI:SS.US'), to_char(order_date, 'MS') from {orders} where id < 60 order by id`,
  ),
  inOrder(
    'to_char calendar',
    `select id, to_char(c_date, 'DDD IYYY-IW D Q') from {type_samples} order by id`,
  ),
  inOrder(
    'to_char quoted text',
    `select to_char(timestamp '2024-02-05 03:04:05', '"day" DD "of" YYYY'), to_char(timestamp '2024-02-05 03:04:05', 'FMDD.FMMM.YY')`,
  ),
  inOrder(
    'to_char of a date',
    `select to_char(shipped_on, 'DD/MM/YYYY') from {orders} where id < 30 order by id`,
  ),
  inOrder(
    'to_date and to_timestamp',
    `select to_date('2024-02-29', 'YYYY-MM-DD'), to_timestamp('2024-02-29 10', 'YYYY-MM-DD HH24')`,
  ),
  inOrder('to_timestamp of an epoch', `select to_timestamp(0), to_timestamp(1709202600.5)`),
  inOrder(
    'at time zone UTC',
    `select timestamp '2024-02-29 10:30' at time zone 'UTC', timestamptz '2024-02-29 10:30+02' at time zone 'UTC'`,
  ),
  inOrder(
    'paid_at at UTC',
    `select id, paid_at at time zone 'UTC' from {orders} where id < 30 order by id`,
  ),
  inOrder(
    'timestamp and timestamptz',
    `select id from {orders} where paid_at > order_date order by id`,
  ),
  inOrder(
    'min and max',
    `select min(order_date), max(order_date), min(shipped_on), max(paid_at) from {orders}`,
  ),
  inOrder('make_date', `select make_date(2024, 2, 29), make_timestamp(2024, 2, 29, 10, 30, 5.5)`),
  inOrder(
    'time arithmetic',
    `select time '10:30' + interval '2 hours', time '23:00' + interval '2 hours'`,
  ),
  inOrder(
    'time compare',
    `select label from {type_samples} where c_time > '10:30:00' and c_time < '10:30:01' order by id`,
  ),
  inOrder(
    'date in a list',
    `select id from {orders} where shipped_on in ('2023-01-31', date '2024-02-29') order by id`,
  ),
  inOrder(
    'date compared with text parameter',
    `select count(*) from {orders} where shipped_on < $1 and order_date::date > $2`,
    ['2024-06-01', '2023-06-01'],
  ),
  inOrder(
    'infinite bounds',
    `select count(*) from {orders} where order_date < 'infinity' and shipped_on > '-infinity'`,
  ),
  inOrder(
    'overlaps',
    `select (date '2024-01-01', date '2024-02-01') overlaps (date '2024-01-15', date '2024-03-01')`,
  ),
  inOrder(
    'coalesce of dates',
    `select id, coalesce(shipped_on, order_date::date), coalesce(paid_at, order_date) from {orders} order by id`,
  ),
  inOrder(
    'case of dates',
    `select id, case when shipped_on is null then order_date else shipped_on end from {orders} where id < 50 order by id`,
  ),
  inOrder(
    'greatest of dates',
    `select greatest(date '2024-01-31', date '2023-12-31'), least(order_date, timestamp '2023-06-01') from {orders} where id < 20 order by id`,
  ),
  anyOrder(
    'group by date',
    `select order_date::date, count(*) from {orders} group by order_date::date`,
  ),
  anyOrder('distinct dates', `select distinct shipped_on from {orders}`),
  inOrder(
    'generate a calendar',
    `select d::date from generate_series(date '2024-02-27', date '2024-03-02', interval '1 day') as d order by 1`,
  ),
  onPostgres(
    inOrder(
      'timestamp difference',
      `select timestamp '2024-03-01 10:00' - timestamp '2024-02-28 09:00', age(timestamp '2024-03-01', timestamp '2023-01-31')`,
    ),
  ),
  onPostgres(
    inOrder(
      'interval values',
      `select id, paid_at - order_date from {orders} where id < 20 order by id`,
    ),
  ),
  onPostgres(
    inOrder(
      'named zone',
      `select timestamp '2024-07-01 12:00' at time zone 'Europe/Berlin', timestamptz '2024-01-01 12:00+00' at time zone 'America/New_York'`,
    ),
  ),
  onPostgres(
    inOrder(
      'date_bin',
      `select date_bin('15 minutes', timestamp '2024-02-29 10:37', timestamp '2024-01-01')`,
    ),
  ),
  onPostgres(
    inOrder('to_char of a number', `select to_char(1234.5, '9,999.99'), to_char(5, 'FM000')`),
  ),
])
