import { expect, test } from 'vitest'
import { bindShop } from '../test-support/bind-shop-for-test.ts'

test.each([
  ['id', 'id'],
  ['orders.id', 'id'],
  ['main.orders.id', 'id'],
  ['id as x', 'x'],
  ['id "X y"', 'X y'],
  ['1', '?column?'],
  ["'a'", '?column?'],
  ['null', '?column?'],
  ['true', '?column?'],
  ['$1', '?column?'],
  ['-id', '?column?'],
  ['id + 1', '?column?'],
  ['id = 1', '?column?'],
  ['id is null', '?column?'],
  ['id in (1, 2)', '?column?'],
  ['(select array[1, 2])[1]', 'array'],
  ['((select array[1, 2]))[1:2]', 'array'],
  ['id between 1 and 2', '?column?'],
  ['not true', '?column?'],
  ['id::text', 'id'],
  ['1::int', 'int4'],
  ['$1::text', 'text'],
  ["date '2024-01-01'", 'date'],
  ["interval '1 day'", 'interval'],
  ['cast(1 as numeric(5, 2))', 'numeric'],
  ['1::int::text', 'text'],
  ['lower(status)', 'lower'],
  ['count(*)', 'count'],
  ['sum(1) over ()', 'sum'],
  ['coalesce(id, 1)', 'coalesce'],
  ['nullif(id, 1)', 'nullif'],
  ['greatest(1, 2)', 'greatest'],
  ['least(1, 2)', 'least'],
  ['array[1]', 'array'],
  ['array(select 1)', 'array'],
  ['exists (select 1)', 'exists'],
  ['case when true then 1 end', 'case'],
  ['case when true then 1 else 2 end', 'case'],
  ['case when true then 1 else id end', 'id'],
  ['case when true then 1 else (select 1 as a) end', 'a'],
  ['(case when true then 1 end)::text', 'text'],
  ['(select 1)', '?column?'],
  ['(select 1 as a)', 'a'],
  ['(select id from main.notes)', 'id'],
  ['((select id as a from main.notes))::text', 'a'],
  ['(values (1))', 'column1'],
  ['current_date', 'current_date'],
  ['current_timestamp(3)', 'current_timestamp'],
  ['now()', 'now'],
  ["trim('x')", 'btrim'],
  ["extract(year from date '2024-01-01')", 'extract'],
  ["now() at time zone 'utc'", 'timezone'],
  ['status collate "C"', 'status'],
])('%s is called %s', (expression, name) => {
  const { body } = bindShop(`select ${expression} from main.orders`)
  expect('columns' in body && body.columns[0]).toMatchObject({ name })
})

test('names are cut after 63 bytes, as PostgreSQL does', () => {
  const { body } = bindShop(`select 1 as "${'é'.repeat(40)}"`)
  expect('columns' in body && body.columns[0]).toMatchObject({ name: 'é'.repeat(31) })
})
