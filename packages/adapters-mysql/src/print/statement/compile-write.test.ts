import type { Permission } from '@engine/core'
import { expect, test } from 'vitest'
import { compiled, compiledForTest, mySql } from '../test-support/compiled-for-test.ts'

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
    select: { columns: ['id', 'a', 'name'], where: { open: true } },
    insert: { check: { a: { $gt: 0 } } },
    update: { columns: ['a'], where: { open: true }, check: { a: { $lt: 9 } } },
    delete: { where: { a: 1 } },
  },
]

const masked: readonly Permission[] = [
  ...update,
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['price'], where: { a: 5 } },
  },
]

test('DEFAULT stays DEFAULT, but for numbers of the server’s own', async () => {
  const sql = `insert into main.item (id, name, price, open) values (default, 'x', 1.5, default), (2, 'y', 2, false)`
  expect(await compiledForTest(sql)).toEqual([
    'affected: insert into `shop`.`item` (`id`, `name`, `price`, `open`) values (null, ?, ' +
      'cast(? as decimal(3, 2)), default), (cast(? as signed), ?, cast(? as decimal(3, 2)), ' +
      'false)',
  ])
})

test('a stored row that fails its check fails the statement', async () => {
  const sql = `insert into main.item (name, open) values ('x', true)`
  expect(await compiledForTest(sql, { permissions: check })).toEqual([
    'result: insert into `shop`.`item` (`name`, `open`) values (?, true) returning ' +
      'case when (`item`.`a` > cast(? as signed)) then 1 else (9223372036854775807 + 20000) end',
  ])
})

test('RETURNING leaves out what the caller does not see', async () => {
  const sql = `insert into main.item (name, open) values ('x', true) returning id`
  expect(await compiledForTest(sql, { permissions: check })).toEqual([
    'result: insert into `shop`.`item` (`name`, `open`) values (?, true) returning ' +
      '`item`.`id` as c1, ((`item`.`open` <> 0) = true), ' +
      'case when (`item`.`a` > cast(? as signed)) then 1 else (9223372036854775807 + 20000) end',
  ])
})

test('DO NOTHING looks for the very key', async () => {
  const sql = `insert into main.item (name, open) values ('x', true) on conflict (name) do nothing returning id`
  expect(await compiledForTest(sql)).toEqual([
    'result: insert into `shop`.`item` (`name`, `open`) select t3.c1, t3.c2 from (select ' +
      '? as c1, true as c2) as t3 where not exists (select 1 from `shop`.`item` as t4 where ' +
      't4.`name` = (t3.c1 collate utf8mb4_nopad_bin)) returning `item`.`id` as c1',
  ])
})

test('DO NOTHING stores the first of rows with the same key', async () => {
  const sql =
    'insert into main.item (nick, name, open) select name, name, true from main.item on conflict (name) do nothing'
  expect(await compiledForTest(sql)).toEqual([
    'keep: select t3.`name` as c1, t3.`name` as c2, true as c3 from `shop`.`item` as t3',
    'nothing: select case when t5.c2 is null or t5.c3 is null then (9223372036854775807 + ' +
      `10022) end from json_table(?, '$[*]' columns (c0 for ordinality, c1 longtext ` +
      `character set utf8mb4 collate utf8mb4_nopad_bin path '$[0]' error on error, c2 longtext character ` +
      `set utf8mb4 collate utf8mb4_nopad_bin path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as t5`,
    'affected: insert into `shop`.`item` (`nick`, `name`, `open`) select t7.c1, t7.c2, ' +
      't7.c3 from (select t6.c0 as c0, t6.c1 as c1, t6.c2 as c2, t6.c3 as c3, row_number() ' +
      'over (partition by (t6.c2 collate utf8mb4_nopad_bin) order by t6.c0) as r0 from ' +
      `json_table(?, '$[*]' columns (c0 for ordinality, c1 longtext character set utf8mb4 ` +
      `collate utf8mb4_nopad_bin path '$[0]' error on error, c2 longtext character set utf8mb4 collate ` +
      `utf8mb4_nopad_bin path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as t6) as t7 where (t7.r0 = 1 ` +
      'or (t7.c2 collate utf8mb4_nopad_bin) is null) and not exists (select 1 from ' +
      '`shop`.`item` as t8 where t8.`name` = (t7.c2 collate utf8mb4_nopad_bin)) order by ' +
      't7.c0',
  ])
})

test('DO UPDATE is the server’s own where only one key can be met', async () => {
  const sql = `insert into main.item (name, open, a) values ('x', true, 1) on conflict (name) do update set a = item.a + excluded.a returning id`
  expect(await compiledForTest(sql)).toEqual([
    'result: insert into `shop`.`item` (`name`, `open`, `a`) values (?, true, cast(? as ' +
      'signed)) on duplicate key update `a` = ((((`item`.`a` + values(`a`)) + ' +
      '9223372034707292160) - 9223372034707292160 - 9223372034707292160) + ' +
      '9223372034707292160) returning `item`.`id` as c1',
  ])
})

test('rows with the same key are refused before', async () => {
  const sql = `insert into main.item (name, open, a) values ('x', true, 1), ('y', true, 2) on conflict (name) do update set a = excluded.a`
  expect(await compiledForTest(sql)).toEqual([
    'nothing: select case when count(*) > 1 then (9223372036854775807 + 10021) end from ' +
      '(select ? as c1, true as c2, cast(? as signed) as c3 union all select ? as c1, true ' +
      'as c2, cast(? as signed) as c3) as t4 where (t4.c1 collate utf8mb4_nopad_bin) is not ' +
      'null group by (t4.c1 collate utf8mb4_nopad_bin)',
    'result: insert into `shop`.`item` (`name`, `open`, `a`) values (?, true, cast(? as ' +
      'signed)), (?, true, cast(? as signed)) on duplicate key update `a` = values(`a`) ' +
      'returning 1',
  ])
})

test('DO UPDATE in steps: rows that are there are locked, changed and counted', async () => {
  const sql = `insert into main.item (id, name, open, a) values (1, 'x', true, 1) on conflict (name) do update set a = excluded.a where item.open`
  expect(await compiledForTest(sql)).toEqual([
    'keep: select cast(? as signed) as c1, ? as c2, true as c3, cast(? as signed) as c4',
    'keep: select t5.c0 as c1, case when (t1.`open` <> 0) then 1 else 0 end as c2, ' +
      't1.`id` as c3, case when (t1.`open` <> 0) then t5.c4 end as c4 from json_table(?, ' +
      `'$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error, c2 longtext character set ` +
      `utf8mb4 collate utf8mb4_nopad_bin path '$[1]' error on error, c3 bigint path '$[2]' error on error, c4 bigint path ` +
      "'$[3]' error on error)) as t5 straight_join `shop`.`item` as t1 on t1.`name` = (t5.c2 collate " +
      'utf8mb4_nopad_bin) for update',
    'keep: insert into `shop`.`item` (`id`, `name`, `open`, `a`) select coalesce(t6.c1, ' +
      `(9223372036854775807 + 10022)), t6.c2, t6.c3, t6.c4 from json_table(?, '$[*]' ` +
      `columns (c0 for ordinality, c1 bigint path '$[0]' error on error, c2 longtext character set utf8mb4 ` +
      `collate utf8mb4_nopad_bin path '$[1]' error on error, c3 bigint path '$[2]' error on error, c4 bigint path ` +
      `'$[3]' error on error)) as t6 where t6.c0 not in (select t7.c1 from json_table(?, '$[*]' columns ` +
      `(c0 for ordinality, c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path ` +
      "'$[2]' error on error, c4 bigint path '$[3]' error on error)) as t7) order by t6.c0 returning `item`.`id`",
    `nothing: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      `'$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error, c4 bigint path '$[3]' error on error)) as t8 ` +
      'straight_join `shop`.`item` as t9 force index (`PRIMARY`) on t9.`id` = t8.c3 set ' +
      't9.`a` = t8.c4 where t8.c2 = 1',
    `count: select json_length(?) + (select count(*) from json_table(?, '$[*]' columns ` +
      `(c0 for ordinality, c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path ` +
      `'$[2]' error on error, c4 bigint path '$[3]' error on error)) as t10 where t10.c2 = 1)`,
  ])
})

test('an UPDATE without conditions of its own is one statement', async () => {
  const sql = 'update main.item set a = a + 1, open = default where id = 2'
  expect(await compiledForTest(sql)).toEqual([
    'affected: update `shop`.`item` as t2 set t2.`a` = ((((t2.`a` + cast(? as signed)) + ' +
      '9223372034707292160) - 9223372034707292160 - 9223372034707292160) + ' +
      '9223372034707292160), t2.`open` = default where (t2.`id` = cast(? as signed))',
  ])
})

test('updated rows are locked before and checked afterwards', async () => {
  const sql = 'update main.item set a = 5 where a = 1'
  expect(await compiledForTest(sql, { permissions: update })).toEqual([
    'keep: select t1.k1 as c1 from (select t3.`id` as k1, t3.`a` as c2 from `shop`.`item` ' +
      'as t3 where ((t3.`open` <> 0) = true) for update) as t1 where (t1.c2 = cast(? as ' +
      'signed))',
    `affected: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      "'$[0]' error on error)) as t4 straight_join `shop`.`item` as t2 force index (`PRIMARY`) on t2.`id` " +
      '= t4.c1 set t2.`a` = cast(? as signed) where ((t2.`open` <> 0) = true)',
    'assert: select case when t6.`id` is not null then (t6.`a` < cast(? as signed)) else ' +
      `0 end from json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error)) ` +
      'as t5 left join `shop`.`item` as t6 force index (`PRIMARY`) on t6.`id` = t5.c1',
  ])
})

test('values are computed from what the caller sees', async () => {
  const sql = 'update main.item set a = 5 where price > 1 returning a'
  expect(await compiledForTest(sql, { permissions: masked })).toEqual([
    'keep: select t1.k1 as c1, cast(? as signed) as c2 from (select t3.`id` as k1, case ' +
      'when (t3.`a` = cast(? as signed)) then t3.`price` end as c3 from `shop`.`item` as t3 ' +
      'where ((((t3.`open` <> 0) = true) or (t3.`a` = cast(? as signed))) and ((t3.`open` ' +
      '<> 0) = true)) limit 18446744073709551615 for update) as t1 where (t1.c3 > cast(? as ' +
      'decimal(1, 0)))',
    `nothing: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      "'$[0]' error on error, c2 bigint path '$[1]' error on error)) as t4 straight_join `shop`.`item` as t5 force index " +
      '(`PRIMARY`) on t5.`id` = t4.c1 set t5.`a` = t4.c2 where ((((t5.`open` <> 0) = true) or ' +
      '(t5.`a` = cast(? as signed))) and ((t5.`open` <> 0) = true))',
    'assert: select case when t7.`id` is not null then (t7.`a` < cast(? as signed)) else ' +
      `0 end from json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error, ` +
      "c2 bigint path '$[1]' error on error)) as t6 left join `shop`.`item` as t7 force index (`PRIMARY`) " +
      'on t7.`id` = t6.c1',
    'result: select case when ((t9.`open` <> 0) = true) then t9.`a` end as c1, ' +
      '(((t9.`open` <> 0) = true) or (t9.`a` = cast(? as signed))) from json_table(?, ' +
      `'$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error)) as ` +
      't8 straight_join `shop`.`item` as t9 force index (`PRIMARY`) on t9.`id` = t8.c1 ' +
      'order by t8.c0',
  ])
})

test('SET from the written table is computed before anything changes', async () => {
  const sql = 'update main.item set a = (select max(a) from main.item) where open'
  expect(await compiledForTest(sql)).toEqual([
    'keep: select t1.k1 as c1, (select max(t3.`a`) as c1 from `shop`.`item` as t3) as c2 ' +
      'from (select t5.`id` as k1, t5.`open` as c5 from `shop`.`item` as t5 for update) as ' +
      't1 where (t1.c5 <> 0)',
    `affected: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      "'$[0]' error on error, c2 bigint path '$[1]' error on error)) as t6 straight_join `shop`.`item` as t7 force index " +
      '(`PRIMARY`) on t7.`id` = t6.c1 set t7.`a` = t6.c2',
  ])
})

test('RETURNING of FROM columns is kept aside', async () => {
  const sql =
    'update main.item set a = p.n from main.part p where p.id = item.a returning item.id, p.n'
  expect(await compiledForTest(sql)).toEqual([
    'keep: select t1.k1 as c1, t3.`n` as c2, t3.`n` as c3 from (select t5.`id` as k1, ' +
      't5.`a` as c2 from `shop`.`item` as t5 for update) as t1, `shop`.`part` as t3 where ' +
      '(t3.`id` = t1.c2)',
    `nothing: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      `'$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as t7 straight_join ` +
      '`shop`.`item` as t8 force index (`PRIMARY`) on t8.`id` = t7.c1 set t8.`a` = t7.c2',
    "result: select t10.`id` as c1, t9.c3 as c2 from json_table(?, '$[*]' columns (c0 for " +
      `ordinality, c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as ` +
      't9 straight_join `shop`.`item` as t10 force index (`PRIMARY`) on t10.`id` = t9.c1 ' +
      'order by t9.c0',
  ])
})

test('rows are found again by the key that they have now', async () => {
  const sql = 'update main.part set id = id + 1 returning id'
  expect(await compiledForTest(sql)).toEqual([
    'keep: select t1.k1 as c1, ((((t1.c1 + cast(? as signed)) + 9223372034707292160) - ' +
      '9223372034707292160 - 9223372034707292160) + 9223372034707292160) as c2 from (select ' +
      't3.`id` as k1, t3.`id` as c1 from `shop`.`part` as t3 for update) as t1',
    `nothing: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      "'$[0]' error on error, c2 bigint path '$[1]' error on error)) as t4 straight_join `shop`.`part` as t2 force index " +
      '(`PRIMARY`) on t2.`id` = t4.c1 set t2.`id` = ((((t2.`id` + cast(? as signed)) + ' +
      '9223372034707292160) - 9223372034707292160 - 9223372034707292160) + ' +
      '9223372034707292160)',
    'nothing: select case when t6.`id` is null then (9223372036854775807 + 10010) end ' +
      `from json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error, c2 ` +
      "bigint path '$[1]' error on error)) as t5 left join `shop`.`part` as t6 force index (`PRIMARY`) on " +
      't6.`id` = t5.c2',
    "result: select t8.`id` as c1 from json_table(?, '$[*]' columns (c0 for ordinality, " +
      "c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error)) as t7 straight_join `shop`.`part` as " +
      't8 force index (`PRIMARY`) on t8.`id` = t7.c2 order by t7.c0',
  ])
})

test('a DELETE gives its rows back', async () => {
  const sql = 'delete from main.part where n = 1 returning id'
  expect(await compiledForTest(sql)).toEqual([
    'result: delete from `shop`.`part` where (`part`.`n` = cast(? as signed)) returning ' +
      '`part`.`id` as c1',
  ])
})

test('a DELETE behind a barrier goes by key', async () => {
  const sql = 'delete from main.item where a / 2 = 1'
  expect(await compiledForTest(sql, { permissions: update })).toEqual([
    'keep: select t1.k1 as c1 from (select t3.`id` as k1, t3.`a` as c2 from `shop`.`item` ' +
      'as t3 where (((t3.`open` <> 0) = true) and (t3.`a` = cast(? as signed))) limit ' +
      '18446744073709551615 for update) as t1 where (((((t1.c2 div cast(? as signed)) + ' +
      '9223372034707292160) - 9223372034707292160 - 9223372034707292160) + ' +
      '9223372034707292160) = cast(? as signed))',
    `affected: delete t5 from json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint ` +
      "path '$[0]' error on error)) as t4 straight_join `shop`.`item` as t5 force index (`PRIMARY`) on " +
      't5.`id` = t4.c1 where (((t5.`open` <> 0) = true) and (t5.`a` = cast(? as signed)))',
  ])
})

test('MySQL reports the number of a stored row', async () => {
  const sql = `insert into main.item (name, open) values ('x', true) returning id`
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'keep: insert into `shop`.`item` (`name`, `open`) values ((? collate utf8mb4_0900_bin), true)',
    'result: select t5.`id` as c1 from (select t4.c0 as c0, t4.c2 as c1 from ' +
      `json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error, c2 bigint ` +
      "path '$[1]' error on error)) as t4) as t3 left join `shop`.`item` as t5 force index (`PRIMARY`) on " +
      't5.`id` = t3.c1 where case when t5.`id` is null then (9223372036854775807 + 10010) ' +
      'else 1 end order by t3.c0',
  ])
})

test('MySQL stores rows one by one where it numbers them', async () => {
  const sql = `insert into main.item (name, open) values ('x', true), ('y', true) returning id`
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'keep: select (? collate utf8mb4_0900_bin) as c1, true as c2 union all ' +
      'select (? collate utf8mb4_0900_bin) as c1, true as c2',
    'keep: insert into `shop`.`item` (`name`, `open`) select t3.c1, t3.c2 from ' +
      `json_table(?, '$[*]' columns (c0 for ordinality, c1 longtext character set utf8mb4 ` +
      `collate utf8mb4_0900_bin path '$[0]' error on error, c2 bigint path '$[1]' error on error)) as t3 order by t3.c0`,
    'result: select t6.`id` as c1 from (select t5.c1 as c0, case when t5.c2 <> 0 then ' +
      `t5.c2 else (9223372036854775807 + 10010) end as c1 from json_table(?, '$[*]' columns ` +
      `(c0 for ordinality, c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 longtext ` +
      `character set utf8mb4 collate utf8mb4_0900_bin path '$[2]' error on error, c4 bigint path '$[3]' error on error)) ` +
      'as t5) as t4 left join `shop`.`item` as t6 force index (`PRIMARY`) on t6.`id` = ' +
      't4.c1 where case when t6.`id` is null then (9223372036854775807 + 10010) else 1 end ' +
      'order by t4.c0',
  ])
})

test('MySQL stores rows together where their keys are known', async () => {
  const sql = `insert into main.item (id, name, open) select id + 10, name, open from main.item returning id`
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'keep: select ((((t3.`id` + cast(? as signed)) + 9223372034707292160) - ' +
      '9223372034707292160 - 9223372034707292160) + 9223372034707292160) as c1, t3.`name` ' +
      'as c2, (t3.`open` <> 0) as c3 from `shop`.`item` as t3',
    'nothing: insert into `shop`.`item` (`id`, `name`, `open`) select coalesce(t5.c1, ' +
      `(9223372036854775807 + 10022)), t5.c2, t5.c3 from json_table(?, '$[*]' columns (c0 ` +
      `for ordinality, c1 bigint path '$[0]' error on error, c2 longtext character set utf8mb4 collate ` +
      `utf8mb4_0900_bin path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as t5 order by t5.c0`,
    "result: select t7.`id` as c1 from json_table(?, '$[*]' columns (c0 for ordinality, " +
      `c1 bigint path '$[0]' error on error, c2 longtext character set utf8mb4 collate utf8mb4_0900_bin ` +
      "path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as t6 left join `shop`.`item` as t7 force index " +
      '(`PRIMARY`) on t7.`id` = t6.c1 where case when t7.`id` is null then ' +
      '(9223372036854775807 + 10010) else 1 end order by t6.c0',
  ])
})

test('MySQL looks for a conflict with each row', async () => {
  const sql = `insert into main.item (name, open) values ('x', true) on conflict do nothing returning id`
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'keep: select (? collate utf8mb4_0900_bin) as c1, true as c2',
    'keep: insert into `shop`.`item` (`name`, `open`) select t4.c1, t4.c2 from ' +
      `json_table(?, '$[*]' columns (c0 for ordinality, c1 longtext character set utf8mb4 ` +
      `collate utf8mb4_0900_bin path '$[0]' error on error, c2 bigint path '$[1]' error on error)) as t4 where not exists ` +
      '(select 1 from `shop`.`item` as t5 where t5.`name` = (t4.c1 collate ' +
      'utf8mb4_nopad_bin)) order by t4.c0',
    'result: select t8.`id` as c1 from (select t7.c1 as c0, case when t7.c2 <> 0 then ' +
      `t7.c2 else (9223372036854775807 + 10010) end as c1 from json_table(?, '$[*]' columns ` +
      `(c0 for ordinality, c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 longtext ` +
      `character set utf8mb4 collate utf8mb4_0900_bin path '$[2]' error on error, c4 bigint path '$[3]' error on error)) ` +
      'as t7) as t6 left join `shop`.`item` as t8 force index (`PRIMARY`) on t8.`id` = ' +
      't6.c1 where case when t8.`id` is null then (9223372036854775807 + 10010) else 1 end ' +
      'order by t6.c0',
  ])
})

test('MySQL locks the found rows alone, and keeps the new ones before they are numbered', async () => {
  const sql = `insert into main.item (name, open, a) values ('x', true, 1) on conflict (name) do update set a = excluded.a returning id`
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'keep: select (? collate utf8mb4_0900_bin) as c1, true as c2, cast(? as signed) as c3',
    'keep: select t5.c0 as c1, 1 as c2, t1.`id` as c3, t5.c3 as c4 from json_table(?, ' +
      `'$[*]' columns (c0 for ordinality, c1 longtext character set utf8mb4 collate ` +
      `utf8mb4_0900_bin path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as t5 ` +
      'straight_join `shop`.`item` as t1 on t1.`name` = (t5.c1 collate utf8mb4_nopad_bin) ' +
      'for update of t1',
    'keep: select t6.c0 as c1, t6.c1 as c2, t6.c2 as c3, t6.c3 as c4 from json_table(?, ' +
      `'$[*]' columns (c0 for ordinality, c1 longtext character set utf8mb4 collate ` +
      `utf8mb4_0900_bin path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error)) as t6 ` +
      `left join (select t7.c1 as c1 from json_table(?, '$[*]' columns (c0 for ordinality, ` +
      `c1 bigint path '$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error, c4 bigint path ` +
      `'$[3]' error on error)) as t7 limit 18446744073709551615) as t8 on t8.c1 = t6.c0 where t8.c1 is ` +
      'null order by t6.c0',
    'keep: insert into `shop`.`item` (`name`, `open`, `a`) select t9.c2, t9.c3, t9.c4 ' +
      `from json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error, c2 ` +
      `longtext character set utf8mb4 collate utf8mb4_0900_bin path '$[1]' error on error, c3 bigint path ` +
      `'$[2]' error on error, c4 bigint path '$[3]' error on error)) as t9 order by t9.c0`,
    `nothing: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      `'$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error, c4 bigint path '$[3]' error on error)) as t10 ` +
      'straight_join `shop`.`item` as t11 force index (`PRIMARY`) on t11.`id` = t10.c3 set ' +
      't11.`a` = t10.c4 where t10.c2 = 1',
    'result: select t16.`id` as c1 from (select t14.c0 as c0, t14.c1 as c1 from (select ' +
      't15.c3 as c0, case when t15.c2 <> 0 then t15.c2 else (9223372036854775807 + 10010) ' +
      `end as c1 from json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      `'$[0]' error on error, c2 bigint path '$[1]' error on error, c3 bigint path '$[2]' error on error, c4 longtext character set ` +
      `utf8mb4 collate utf8mb4_0900_bin path '$[3]' error on error, c5 bigint path '$[4]' error on error, c6 bigint path ` +
      `'$[5]' error on error)) as t15) as t14 union all select t13.c1 as c0, t13.c3 as c1 from ` +
      `json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path '$[0]' error on error, c2 bigint ` +
      `path '$[1]' error on error, c3 bigint path '$[2]' error on error, c4 bigint path '$[3]' error on error)) as t13 where t13.c2 = 1) ` +
      'as t12 left join `shop`.`item` as t16 force index (`PRIMARY`) on t16.`id` = t12.c1 ' +
      'where case when t16.`id` is null then (9223372036854775807 + 10010) else 1 end order ' +
      'by t12.c0',
  ])
})

test('MySQL names the proposed row', async () => {
  const sql = `insert into main.item (name, open, a) values ('x', true, 1) on conflict (name) do update set a = excluded.a`
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'nothing: insert into `shop`.`item` (`name`, `open`, `a`) values ((? collate utf8mb4_0900_bin), ' +
      'true, cast(? as signed)) as t3 on duplicate key update `a` = t3.`a`',
    'count: select 1',
  ])
})

test('MySQL assigns from left to right: not where old values are read', async () => {
  const sql = 'update main.item set a = price, price = a'
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'keep: select t1.k1 as c1, ((((round(t1.c3) div 1) + 9223372034707292160) - ' +
      '9223372034707292160 - 9223372034707292160) + 9223372034707292160) as c2, cast(case ' +
      'when abs(cast(t1.c2 as decimal(10, 0))) >= 100000000 then (9223372036854775807 + ' +
      '10000) else cast(t1.c2 as decimal(10, 0)) end as decimal(10, 2)) as c3 from (select ' +
      't3.`id` as k1, t3.`a` as c2, t3.`price` as c3 from `shop`.`item` as t3 for update) ' +
      'as t1',
    `affected: update json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint path ` +
      `'$[0]' error on error, c2 bigint path '$[1]' error on error, c3 longtext character set utf8mb4 collate ` +
      "utf8mb4_0900_bin path '$[2]' error on error)) as t4 straight_join `shop`.`item` as t5 force index " +
      '(`PRIMARY`) on t5.`id` = t4.c1 set t5.`a` = t4.c2, t5.`price` = cast(t4.c3 as ' +
      'decimal(10, 2))',
  ])
})

test('MySQL gives no deleted rows back', async () => {
  const sql = 'delete from main.part where n = 1 returning id'
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'keep: select t1.k1 as c1 from (select t3.`id` as k1, t3.`n` as c3 from `shop`.`part` ' +
      'as t3 for update) as t1 where (t1.c3 = cast(? as signed))',
    "result: select t5.`id` as c1 from json_table(?, '$[*]' columns (c0 for ordinality, " +
      "c1 bigint path '$[0]' error on error)) as t4 straight_join `shop`.`part` as t5 force index " +
      '(`PRIMARY`) on t5.`id` = t4.c1 order by t4.c0',
    `nothing: delete t7 from json_table(?, '$[*]' columns (c0 for ordinality, c1 bigint ` +
      "path '$[0]' error on error)) as t6 straight_join `shop`.`part` as t7 force index (`PRIMARY`) on " +
      't7.`id` = t6.c1',
  ])
})

test('MySQL assigns in an order in which old values are read', async () => {
  const sql = 'update main.item set a = a + 1, price = a, nick = name'
  expect(await compiledForTest(sql, { flavor: mySql })).toEqual([
    'affected: update `shop`.`item` as t2 set t2.`price` = case when abs(cast(t2.`a` as ' +
      'decimal(10, 0))) >= 100000000 then (9223372036854775807 + 10000) else cast(t2.`a` as ' +
      'decimal(10, 0)) end, t2.`a` = ((((t2.`a` + cast(? as signed)) + 9223372034707292160) ' +
      '- 9223372034707292160 - 9223372034707292160) + 9223372034707292160), t2.`nick` = ' +
      't2.`name`',
  ])
})

test('what has several steps runs in a transaction, one statement does not need it', async () => {
  const insert = "insert into main.item (name, open) values ('x', true)"
  expect((await compiled(insert)).needsTransaction).toBe(false)
  expect((await compiled(insert, { permissions: check })).needsTransaction).toBe(false)
  expect((await compiled('update main.part set id = 1 returning id')).needsTransaction).toBe(true)
})

test('where a stopped statement may end as if it were whole, an insert of a query can be undone', async () => {
  const inserts = [
    "insert into main.item (name, open, a) values ('x', true, (select max(n) from main.part))",
    "insert into main.item (name, open, a) select 'x', true, n from main.part",
  ]
  for (const sql of inserts) {
    expect((await compiled(sql, { flavor: mySql })).needsTransaction).toBe(true)
    expect((await compiled(sql)).needsTransaction).toBe(false)
  }
  const plain = "insert into main.item (name, open, a) values ('x', true, 1)"
  expect((await compiled(plain, { flavor: mySql })).needsTransaction).toBe(false)
})

test('an upsert that looks for rows is done again when another writer was faster', async () => {
  const insert = "insert into main.item (name, open) values ('x', true) on conflict"
  expect((await compiled(`${insert} do nothing`)).hints).toMatchObject({
    retriesOnDuplicateKey: true,
  })
  const upsert = `${insert} (name) do update set a = 1`
  expect((await compiled(upsert)).hints).not.toHaveProperty('retriesOnDuplicateKey')
  expect((await compiled(`${upsert} where item.open`)).hints).toMatchObject({
    retriesOnDuplicateKey: true,
  })
})
