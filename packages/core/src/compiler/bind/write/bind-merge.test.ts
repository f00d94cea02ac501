import { describe, expect, test } from 'vitest'
import { shopFailure, shopParameters, shopText } from '../test-support/bind-shop-for-test.ts'

const into = 'merge into main.customers c using main.orders o on c.id = o.customer_id'

test('a MERGE is a read of its source, and a write for each clause', () => {
  const text = shopText(
    `merge into main.notes n using main.customers c on n.id = c.id
      when matched then update set body = c.name when not matched then insert (id, body) values (c.id, 'x')`,
  )
  const parts = [
    'w2(id, name, email, city, active) as materialized (select customers1.id as id',
    'from w2 q4 where (not (exists (select (from table) (where (=(int8,int4) notes5.id q4.id)))))',
    'as (select from w2 q15, notes16 where (=(int8,int4) notes16.id q15.id))',
    'as (select from notes18 where exists(select from w2 q17 where (=(int8,int4) notes18.id q17.id)))',
    'as (update notes7/8 set body = q9.name from w2 q9 where (=(int8,int4) old_notes7.id q9.id) returning )',
    "as (insert into notes10/11 (id, body) select (implicit bigint/function q12.id) as id, 'x':text as body from w6 q12 returning )",
  ]
  for (const part of parts) expect(text).toContain(part)
})

test('a write in WITH is a write of the statement, and may be the source', () => {
  expect(
    shopText(
      'with q as (delete from main.customers returning id) merge into main.notes n using q on n.id = q.id when not matched then insert (id) values (q.id)',
    ),
  ).toContain('as (delete from customers')
})

test.each([
  `with q as (update main.customers set name = 'x') ${into} when matched then do nothing`,
  `with q as (insert into main.customers (id) values (1)) ${into} when matched then delete`,
  `with q as (delete from main.notes) ${into} when matched then delete`,
])('writes of different rows are no conflict: %s', (sql) => {
  expect(shopText(sql)).toContain('with ')
})

test('parameters have the types of their places', () => {
  expect(
    shopParameters(
      `${into} and c.id = $1 when matched and c.active = $2 then update set name = $3 when not matched and o.id = $4 then insert (email) values ($5)`,
    ),
  ).toBe('integer, boolean, text, integer, character varying')
})

describe('is refused', () => {
  test.each([
    [`${into} and random() < 1 when matched then delete`, '0A000'],
    [`${into} when matched and random() < 1 then delete`, '0A000'],
    [`${into} when matched then delete when matched then delete`, '42601'],
    [`${into} when not matched then insert (id) values (c.id)`, '42P01'],
    ['merge into main.notes using main.notes on true when matched then delete', '42712'],
    [`with recursive q as (select 1) ${into} when matched then delete`, '42601'],
    [`with q as (delete from main.customers) ${into} when matched then delete`, '0A000'],
    [
      `with q as (update main.customers set name = 'x') ${into} when matched then update set name = 'y'`,
      '0A000',
    ],
    [
      `with q as (insert into main.customers (id) values (1) on conflict (id) do update set name = 'x') ${into} when matched then delete`,
      '0A000',
    ],
    [`with q as (${into} when matched then delete) select 1`, '0A000'],
  ])('%s', (sql, failure) => {
    expect(shopFailure(sql)).toContain(failure)
  })
})
