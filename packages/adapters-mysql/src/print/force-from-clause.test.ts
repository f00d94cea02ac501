import { expect, test } from 'vitest'
import { compiledForTest, mySql } from './test-support/compiled-for-test.ts'

test('both arms of a UNION in IN read a row', async () => {
  const sql = 'select 4 in (values (null::int4), (item.a)) from main.item'
  expect(await compiledForTest(sql)).toEqual([
    'result: select (cast(? as signed) in ((select null as c1 from (select true as c1) as t3) union all ' +
      '(select t1.`a` as c1 from (select true as c1) as t4))) as c1 from `shop`.`item` as t1 limit 10001',
  ])
  const [native] = await compiledForTest(sql, { flavor: mySql })
  expect(native).not.toContain('(select true as c1)')
})

test('VALUES in IN is read as a table', async () => {
  expect(await compiledForTest('select 4 in (values (null::int4), (7))')).toEqual([
    'result: select (cast(? as signed) in (select t1.c1 as c1 from ' +
      '(select null as c1 union all select cast(? as signed) as c1) as t1)) as c1 limit 10001',
  ])
})

test('OFFSET counts in a subquery that reads nothing, decimals too', async () => {
  expect(await compiledForTest("select (select 'a' limit 1 offset 2)")).toEqual([
    'result: select (select ? as c1 from (select true as c1) as t1 limit 1 offset 2) as c1 limit 10001',
  ])
  const [decimal] = await compiledForTest('select (select 1.5 limit 1 offset 2)')
  expect(decimal).toContain('as c1 from (select true as c1) as t1 limit 1 offset 2)')
})
