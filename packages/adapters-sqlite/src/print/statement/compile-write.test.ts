import type { Permission } from '@engine/core'
import { expect, test } from 'vitest'
import { compiledForTest } from '../test-support/compiled-for-test.ts'

const check: readonly Permission[] = [
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id'], where: { open: true } },
    insert: { check: { a: { $gt: 0 } } },
  },
]

const update: readonly Permission[] = [
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id', 'a'], where: { open: true } },
    update: { columns: ['a'], where: { open: true }, check: { a: { $lt: 9 } } },
  },
]

test('values are stored in the form of their columns', async () => {
  const steps = await compiledForTest(
    `insert into main.item (name, price, open) values ('x', 1.5, default), ('y', 2, false) returning id, price`,
  )
  expect(steps).toEqual([
    'result: insert into main."item" ("name", "price", "open", "at") values (?1, dec_store(?2), ' +
      '?3, ?4), (?5, dec_store(?6), false, ?4) returning "item"."id" as c1, "item"."price" as c2',
  ])
})

test('rows with defaults that only SQLite knows are inserted apart', async () => {
  const steps = await compiledForTest(
    `insert into main.item (name, odd) values ('x', default), ('y', 1)`,
  )
  expect(steps).toEqual([
    'affected: insert into main."item" ("name", "at") values (?1, ?2)',
    'affected: insert into main."item" ("name", "odd", "at") values (?1, ?2, ?3)',
  ])
})

test('DO UPDATE refuses a key that comes twice', async () => {
  const steps = await compiledForTest(
    `insert into main.item (name) values ('x'), ('y') on conflict (name) do update set a = excluded.a + item.a where item.open`,
  )
  expect(steps).toEqual([
    'nothing: select once_per_key(count(*)) from (with v(c1) as (values (?1), (?2)) select * ' +
      'from v) as t4 where t4.c1 is not null group by t4.c1',
    'affected: insert into main."item" ("name", "at") values (?1, ?2), (?3, ?2) on conflict ' +
      '("name") do update set "a" = int4((excluded."a" + "item"."a")) where "item"."open"',
  ])
})

test('INSERT ... SELECT stores what it read', async () => {
  const steps = await compiledForTest('insert into main.pair select name, id from main.item')
  expect(steps).toEqual([
    'affected: insert into main."pair" ("k", "v") select t5.c1, t5.c2 from (select t3."name" as ' +
      'c1, t3."id" as c2 from main."item" as t3 where tick(t3.rowid)) as t5 where true',
  ])
})

test('a simple UPDATE stays simple', async () => {
  const steps = await compiledForTest(
    'update main.item set price = price + 1, open = default where id = 2 returning id, price',
  )
  expect(steps).toEqual([
    'result: update main."item" set "price" = ' +
      'dec_store(dec_fit(dec_add(dec_read("item"."price", 2), ?1), 10, 2)), "open" = ?2 where ' +
      'tick("item".rowid) and ("item"."id" = ?3) returning "item"."id" as c1, "item"."price" as ' +
      'c2',
  ])
})

test('SET from the written table is computed before anything changes', async () => {
  const steps = await compiledForTest(
    'update main.item set a = (select max(a) from main.item) where open',
  )
  expect(steps).toEqual([
    'affected: update main."item" set "a" = t6.c2 from (select t1.k1 as c1, (select max(t3."a") ' +
      'as c1 from main."item" as t3 where tick(t3.rowid)) as c2 from (select t5.rowid as k1, ' +
      't5."open" as c7 from main."item" as t5 where tick(t5.rowid)) as t1 where t1.c7) as t6 ' +
      'where "item".rowid = t6.c1',
  ])
})

test('RETURNING of FROM columns is kept aside', async () => {
  const steps = await compiledForTest(
    'update main.item set a = p.n from main.part p where p.id = item.a returning item.id, p.n',
  )
  expect(steps).toEqual([
    'keep: select t1.k1 as c1, t3."n" as c2, t3."n" as c3 from (select t5.rowid as k1, t5."a" as c2 ' +
      'from main."item" as t5 where tick(t5.rowid)) as t1, main."part" as t3 where tick(t3.rowid) and ' +
      '(t3."id" = t1.c2) group by t1.k1',
    'nothing: update main."item" set "a" = (t7.value ->> 1) from json_each(?1) as t7 where ' +
      '"item".rowid = (t7.value ->> 0)',
    'result: select t9."id" as c1, (t8.value ->> 2) as c2 from json_each(?1) as t8 join ' +
      'main."item" as t9 on t9.rowid = (t8.value ->> 0) order by t8.key',
  ])
})

test('rows without a rowid are found by their key', async () => {
  const steps = await compiledForTest(`update main.pair set k = 'z' where k = 'y'`)
  expect(steps).toEqual([
    'affected: update main."pair" set "k" = ?1 where tick("pair"."k") and ("pair"."k" = ?2)',
  ])
})

test('DELETE ... USING asks for some row', async () => {
  const steps = await compiledForTest(
    'delete from main.part using main.item i where i.id = part.item_id and i.open returning part.id',
  )
  expect(steps).toEqual([
    'result: delete from main."part" where tick("part".rowid) and exists (select true as c1 ' +
      'from main."item" as t3 where tick(t3.rowid) and ((t3."id" = "part"."item_id") and ' +
      't3."open")) returning "part"."id" as c1',
  ])
})

test('inserted rows are checked as they are stored', async () => {
  const steps = await compiledForTest(
    `insert into main.item (name, a) values ('x', 1) returning id`,
    check,
  )
  expect(steps).toEqual([
    'keep: insert into main."item" ("name", "a", "at") values (?1, ?2, ?3) returning ' +
      '"item".rowid',
    'assert: select case when t4.rowid is not null then (t4."a" > ?1) else false end from ' +
      'json_each(?2) as t3 left join main."item" as t4 on t4.rowid = (t3.value ->> 0)',
    'result: select t6."id" as c1, (t6."open" = true) from json_each(?1) as t5 join main."item" ' +
      'as t6 on t6.rowid = (t5.value ->> 0) order by t5.key',
  ])
})

test('updated rows are checked as they are stored', async () => {
  const steps = await compiledForTest('update main.item set a = 5 where a = 1', update)
  expect(steps).toEqual([
    'keep: update main."item" set "a" = ?1 where tick("item".rowid) and ("item"."open" = ' +
      'true) and ("item"."a" = ?2) returning "item".rowid',
    'assert: select case when t5.rowid is not null then (t5."a" < ?1) else false end from ' +
      'json_each(?2) as t4 left join main."item" as t5 on t5.rowid = (t4.value ->> 0)',
    'count: select json_array_length(?1)',
  ])
})
