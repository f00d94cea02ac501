import { expect, test } from 'vitest'
import {
  shopColumns,
  shopFailure,
  shopParameters,
  shopText,
} from '../test-support/bind-shop-for-test.ts'

test('columns are fields of the elements, as the definition says', () => {
  const rows = 'jsonb_to_recordset(\'[]\') as r(a int, b varchar(3), c jsonb, "D" numeric(4,1))'
  expect(shopColumns(`select * from ${rows}`)).toBe(
    'a integer, b character varying(3), c jsonb, D numeric(4,1)',
  )
  expect(shopColumns(`select r.b, a from ${rows}`)).toBe('b character varying(3), a integer')
  expect(shopColumns('select * from json_to_record($1) as r(a int)')).toBe('a integer')
})

test('the argument has the type of the function', () => {
  expect(shopParameters('select 1 from json_to_recordset($1) as r(a int)')).toBe('json')
  expect(shopParameters('select 1 from jsonb_to_record($1) as r(a int)')).toBe('jsonb')
  expect(shopFailure("select 1 from jsonb_to_recordset('[]'::text) as r(a int)")).toContain('42883')
})

test('columns are those of the table that the first argument names', () => {
  const columns = shopColumns('select * from main.customers')
  const rows = (call: string) => shopColumns(`select r.* from main.customers c, ${call} r`)
  expect(rows('json_populate_recordset(null::main.customers, $1)')).toBe(columns)
  expect(rows('json_populate_record(null::customers, $1)')).toBe(columns)
  expect(rows('jsonb_populate_record(c, $1)')).toBe(columns)
  expect(shopParameters('select 1 from json_populate_record(null::customers, $1) r')).toBe('json')
})

test('a field that an object does not have is that of the first argument', () => {
  expect(shopText('select r.id from main.customers c, jsonb_populate_record(c, $1) r')).toContain(
    "q2.element 'id':text))) customers1.id) (else ",
  )
})

test('elements that are no objects fail', () => {
  expect(shopText("select a from jsonb_to_recordset('[1]') as r(a text)")).toContain(
    "(case (when (<>(text,text) (jsonb_typeof(jsonb) q1.element) 'object':text)",
  )
})

test('what stands before it is seen, and its columns are computed outside', () => {
  const text = shopText(
    'select p.id, r.a from main.products p, jsonb_to_record(p.extra) as r(a int)',
  )
  expect(text).toContain('jsonb_build_array')
  expect(text).not.toContain('from (select')
  expect(shopText("select a from jsonb_to_recordset('[]') as r(a int)")).toContain('from (select')
})

test.each([
  ["jsonb_to_recordset('[]')", '42601: a column definition list is required'],
  ["jsonb_to_recordset('[]') as r(a int, a text)", '42701: column name "a" specified more than'],
  ["jsonb_to_recordset('[]') with ordinality as r(a int)", '42601'],
  ["jsonb_to_recordset('[]') as r(a int[])", '0A000: an array or a row that is read from JSON'],
  ["jsonb_to_recordset('[]') as r(a nosuch)", '42704'],
  ["jsonb_to_recordset('[]', '[]') as r(a int)", '42883'],
  ["json_populate_recordset(null::nosuch, '[]')", '42704: type "nosuch" does not exist'],
  ["json_populate_recordset(1, '[]') as r(a int)", '0A000: this first argument'],
  ["json_populate_recordset(null::products, '[]') with ordinality", '0A000: WITH ORDINALITY'],
  ['nosuch(1) as g(a int)', '42883: function nosuch(integer) does not exist'],
  ['generate_series(1, 2) as g(a int)', '42601: a column definition list is only allowed'],
])('%s is refused', (item, failure) => {
  expect(shopFailure(`select 1 from ${item}`).replace(/^(\S+) /, '$1: ')).toContain(
    failure.replace(/^(\S+?):? /, '$1: '),
  )
})
