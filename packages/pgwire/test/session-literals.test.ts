/** Statements that differ only in their literals share a plan. Results must be the same as PostgreSQL's. */
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { query } from './support/recording-client.ts'
import { type Comparison, openComparison } from './support/same-as-postgres.ts'

describePostgres('Literals in the text of a query', () => {
  let comparison: Comparison
  beforeAll(async () => {
    comparison = await openComparison()
  })
  afterAll(() => comparison?.close())

  describe('mean what they mean to PostgreSQL, whatever was asked before', () => {
    test.each([
      ['select id from items where id = 3', 'select id from items where id = 4'],
      [
        'select id from items where id = 2147483648',
        'select id from items where id = 9223372036854775808',
      ],
      ['select id from items where id = 3.0', 'select id from items where id = 3.5'],
      ['select id from items where id = -3', 'select id from items where id > -3 and id < 2'],
      ["select id from items where id = '3'", "select id from items where id = ' 4 '"],
      ["select id from items where id = 'x'", "select id from items where id = '5'"],
      ["select id from items where id = '99999999999'", "select id from items where id = '6'"],
      ["select id from items where name = 'item 3'", "select id from items where name = 'it''s'"],
      ["select id from items where price = '1.50'", "select id from items where price = 'NaN'"],
      [
        'select id from items where price >= 4.5 order by 1 limit 2',
        'select id from items where price >= 5 order by 1 limit 1',
      ],
      [
        "select id from items where made = '2024-01-01 00:00:00+00' and id < 3 order by id",
        "select id from items where made < '2024-01-01' order by id",
      ],
      [
        "select id from items where made = 'whenever'",
        "select id from items where made = 'infinity'",
      ],
      [
        "select id from items where tags = '{a,b}' and id = 1",
        "select id from items where tags = '{a'",
      ],
      [
        'select id from items where id in (1, 2, -3) order by id',
        'select id from items where id in (4, 5, 6) order by id',
      ],
      [
        "select id from items where name in ('item 1', 'item 2') order by 1",
        "select id from items where name in ('', 'item 4') order by 1",
      ],
      [
        'select id from items where id in (1, null) order by id',
        'select id from items where id in (2, null) order by id',
      ],
      [
        'select id from items where id between 2 and 4 order by id',
        'select id from items where id between 4 and 2 order by id',
      ],
      [
        "select id from items where name between 'item 1' and 'item 11' order by id",
        "select id from items where name between 'a' and 'b'",
      ],
      [
        'select id + 1 as a, id * 2, id - -3, id / 2, id % 2 from items where id = 5',
        'select id + 2 as a, id * 3, id - -4, id / 3, id % 3 from items where id = 5',
      ],
      ['delete from items where id / 0 = 5', 'delete from items where id / 1 = 50'],
      ['delete from items where id + 2147483647 = 5', 'delete from items where id + 1 = 50'],
      ['select price * 1.10 from items where id = 5', 'select price * 1.1 from items where id = 5'],
      [
        'select id = 1, 1 = id from items where id < 3 order by 1',
        'select id = 2, 1 = id from items where id < 3 order by 1',
      ],
      [
        'select id from items where id = 1 or 1 = 2 order by 1',
        'select id from items where id = 1 or 1 = 1 order by 1 limit 3',
      ],
      [
        "select 'a' = 'b' as x from items where id = 1",
        "select 'a' = 'a' as x from items where id = 2",
      ],
      [
        'select id = 1 from items where id < 4 group by id = 1 order by 1',
        'select id = 2 from items where id < 4 group by id = 2 order by 1',
      ],
      ['select id from items where id = 5::int8', 'select id from items where id = 6::int2'],
      ["select id from items where id = '5'::int", "select id from items where id = 'x'::int"],
      [
        "select id from items where made > '2023-01-01'::date and id = 1",
        "select id from items where made > '2023-13-01'::date and id = 1",
      ],
      [
        'select id from items where id = -5::int2 + 10',
        'select id from items where id = -6::int2 + 10',
      ],
      [
        "select id from items where (id, name) = (1, 'item 1')",
        "select id from items where (id, name) = (2, 'item 1')",
      ],
      [
        'select id from items where id = any (array[1, 2]) order by 1',
        'select id from items where id = any (array[3, 4]) order by 1',
      ],
      [
        'select id from items where id in (select n from many where n = 3 order by 1 limit 1)',
        'select id from items where id in (select n from many where n = 4 order by 1 limit 1)',
      ],
      [
        'with x as (select id from items where id = 3) select * from x where id = 3',
        'with x as (select id from items where id = 4) select * from x where id = 3',
      ],
      [
        "select case when id = 1 then 'one' when id = 2 then 'two' end from items where id < 4 order by 1",
        "select case when id = 3 then 'one' when id = 2 then 'two' end from items where id < 4 order by 1",
      ],
      [
        "select count(*) from items where name || 'x' = 'item 1x'",
        "select count(*) from items where name || 'y' = 'item 1y'",
      ],
      [
        "select * from (values (1, 'a'), (2, 'b')) as v (n, t), items where id = n order by id",
        "select n, t from (values (3, 'c'), (4, 'd')) as v (n, t), items where id = n order by id",
      ],
      ['select nope from items where id = 1', 'select id from nowhere where id = 1'],
      [
        'select id from items where id = 1 and nope = 2',
        'select id from items where id = 1 and name = 2',
      ],
      ['select id from items where id == 1', 'select id from items where id = 1 1'],
      ['select id from items where note = true', 'select id from items where id = true'],
    ])('%s', async (first, second) => {
      await comparison.same([[query(first)]], [[query(second)]], [[query(first)]])
    })
  })

  test('writes', () =>
    comparison.same(
      [
        [
          query(
            "insert into items (id, name, price, made, tags) values (201, 'x', 1.5, '2024-05-01', '{q}')",
          ),
        ],
      ],
      [
        [
          query(
            "insert into items (id, name, price, made, tags) values (-202, 'y', -2, null, null)",
          ),
        ],
      ],
      [[query("insert into items (id, name) values (203, 'a'), (204, 'b') returning id, name")]],
      [[query("insert into items (id, name) values (205, 'a'), (206, null) returning id, name")]],
      [[query('insert into items (id, name) values (207, 5) returning name')]],
      [[query("insert into items (id, name) values (208, 'longer than twenty characters')")]],
      [[query("insert into items (id, name, made) values (209, 'a', 'never')")]],
      [
        [
          query(
            "update items set price = price + -1.25, name = 'z' where id = 201 returning price, name",
          ),
        ],
      ],
      [
        [
          query(
            "update items set price = price + 2, name = 'w' where id = -202 returning price, name",
          ),
        ],
      ],
      [[query("update items set price = 'x' where id = 201")]],
      [[query('update items set price = 123456789012 where id = 201')]],
      [
        [
          query(
            "insert into items (id, name) values (201, 'again') on conflict (id) do update set price = 7 returning price",
          ),
        ],
      ],
      [[query('delete from items where id in (201, -202, 203, 204, 207) returning id')]],
    ))

  test('in a transaction, and in one that has failed', () =>
    comparison.same(
      [[query('begin')]],
      [[query('select id from items where id = 7')]],
      [[query('delete from items where id / 0 = 8')]],
      [[query('select id from items where id = 9')]],
      [[query('select nope from items where id = 9')]],
      [[query('rollback')]],
      [[query('select id from items where id = 10')]],
    ))

  test('where the time zone of the session counts', () =>
    comparison.same(
      [[query("set timezone to 'Asia/Tokyo'")]],
      [[query("select id, made from items where made = '2024-01-01 09:00' and id = 3")]],
      [[query("set timezone to 'UTC'")]],
      [[query("select id, made from items where made = '2024-01-01 00:00' and id = 4")]],
    ))
})
