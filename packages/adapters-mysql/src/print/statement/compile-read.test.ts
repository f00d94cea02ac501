import type { Permission } from '@engine/core'
import { expect, test } from 'vitest'
import { compileInSteps } from '../../compile.ts'
import {
  authorizedAndCompiled,
  compiledForTest,
  mariaDb,
  mySql,
} from '../test-support/compiled-for-test.ts'

const rows: readonly Permission[] = [
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id', 'name', 'a'], where: { open: true } },
  },
  { table: 'main.part', roles: ['anonymous'], select: {} },
]

const masks: readonly Permission[] = [
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id', 'a'], where: { a: { $gt: 1 } } },
  },
  {
    table: 'main.item',
    roles: ['anonymous'],
    select: { columns: ['id', 'price'], where: { open: true } },
  },
]

async function printed(
  sql: string,
  options: Parameters<typeof compiledForTest>[1] = {},
): Promise<string> {
  const steps = await compiledForTest(sql, options)
  return steps.join('; ')
}

test('a table is read by its own columns; NULLs are last where the server puts them first', async () => {
  expect(await printed('select id, name from main.item where a = 1 order by a, id limit 3')).toBe(
    'result: select t1.`id` as c1, t1.`name` as c2 from `shop`.`item` as t1 where (t1.`a` = cast(? as signed)) order by isnull(t1.`a`), t1.`a`, t1.`id` limit 3',
  )
})

test('a limit of the request is a parameter', async () => {
  expect(await printed('select id from main.item limit $1 offset $2', { params: [1, 2] })).toBe(
    'result: select t1.`id` as c1 from `shop`.`item` as t1 limit ? offset ?',
  )
})

test('a restricted table is a derived table that the server can open', async () => {
  expect(
    await printed('select name from main.item where id = $1', { params: [1], permissions: rows }),
  ).toBe(
    'result: select t1.c4 as c1 from (select t2.`id` as c1, t2.`name` as c4 from `shop`.`item` as t2 where ((t2.`open` <> 0) = true)) as t1 where (t1.c1 = cast(? as signed)) limit 10001',
  )
})

test('what may leak stays behind a barrier', async () => {
  const text = await printed('select name from main.item where id = $1 and 1 / a > 0', {
    params: [1],
    permissions: rows,
  })
  expect(text).toContain(
    'from (select t2.`id` as c1, t2.`a` as c2, t2.`name` as c4 from `shop`.`item` as t2 where ((t2.`open` <> 0) = true) ' +
      'and (t2.`id` = cast(? as signed)) limit 18446744073709551615) as t1 where ((t1.c1 = cast(? as signed)) and ',
  )
})

test('conditions on an outer query do not stand behind a barrier', async () => {
  const text = await printed(
    'select (select i.name from main.item i where i.id = p.item_id and 1 / i.a > 0) from main.part p',
    { permissions: rows },
  )
  expect(text).toContain(
    'where ((t3.`open` <> 0) = true) limit 18446744073709551615) as t2 where ((t2.c1 = t1.`item_id`) and ',
  )
})

test('masked cells are CASE', async () => {
  expect(await printed('select id, a, price from main.item', { permissions: masks })).toBe(
    'result: select t1.c1 as c1, t1.c2 as c2, t1.c3 as c3 from (select t2.`id` as c1, case when (t2.`a` > cast(? as signed)) then t2.`a` end as c2, case when ((t2.`open` <> 0) = true) then t2.`price` end as c3 from `shop`.`item` as t2 where ((t2.`a` > cast(? as signed)) or ((t2.`open` <> 0) = true))) as t1 limit 10001',
  )
})

test('joins keep their kinds', async () => {
  expect(
    await printed(
      'select p.n, i.name from main.part p left join (main.item i join main.part q on q.id = i.a) on i.id = p.item_id',
    ),
  ).toBe(
    'result: select t1.`n` as c1, t2.`name` as c2 from `shop`.`part` as t1 left join (`shop`.`item` as t2 join `shop`.`part` as t3 on (t3.`id` = t2.`a`)) on (t2.`id` = t1.`item_id`) limit 10001',
  )
})

test('a list of limited rows sees what is on its left', async () => {
  const sql =
    'select i.id, p.n from main.item i left join lateral (select n from main.part p where p.item_id = i.id order by n limit $1) p on true'
  expect(await printed(sql, { params: [2] })).toBe(
    "result: select t1.`id` as c1, t3.c1 as c2 from `shop`.`item` as t1 left join json_table((select json_arrayagg(json_array(t2.`n`) order by isnull(t2.`n`), t2.`n` limit ?) from `shop`.`part` as t2 where (t2.`item_id` = t1.`id`)), '$[*]' columns (o for ordinality, c1 bigint path '$[0]' error on error)) as t3 on true limit 10001",
  )
  expect(await printed(sql, { params: [2], flavor: mySql })).toBe(
    'result: select t1.`id` as c1, t3.c1 as c2 from `shop`.`item` as t1 left join lateral (select t2.`n` as c1 from `shop`.`part` as t2 where (t2.`item_id` = t1.`id`) order by isnull(t2.`n`), t2.`n` limit ?) as t3 on true limit 10001',
  )
})

test('a subquery that refers to what is outside, in a form that cannot be listed, is refused', async () => {
  await expect(
    printed(
      'select i.id, p.n from main.item i, lateral (select distinct n from main.part p where p.id < i.id) p',
    ),
  ).rejects.toMatchObject({ problem: 'unsupported' })
})

test('VALUES are selected row by row', async () => {
  expect(await printed("select v.a, v.b from (values (1, 'x'), (2, null)) v(a, b)")).toBe(
    'result: select t1.c1 as c1, t1.c2 as c2 from (select cast(? as signed) as c1, ? as c2 union all select cast(? as signed) as c1, null as c2) as t1 limit 10001',
  )
})

test('arms of a set operation stand in parentheses, but not twice', async () => {
  expect(
    await printed(
      'select id from main.item union all select n from main.part except select a from main.item order by 1',
    ),
  ).toBe(
    'result: (select t1.`id` as c1 from `shop`.`item` as t1) union all (select t2.`n` as c1 from `shop`.`part` as t2) except (select t3.`a` as c1 from `shop`.`item` as t3) order by isnull(c1), 1 limit 10001',
  )
})

test('a recursive query starts from a seed as wide as it can be', async () => {
  const text = await printed(
    "with recursive q(n, t) as (select 1, 'x' union all select n + 1, t || 'y' from q where n < 3) select t from q",
  )
  expect(text).toMatch(
    /with recursive q1\(c1, c2\) as \(select cast\(t\d+\.c1 as signed\) as c1, \(cast\(t\d+\.c2 as char\(1000000\) character set utf8mb4\) collate utf8mb4_nopad_bin\) as c2 from \(select .*\) as t\d+ union all select /,
  )
})

test('HAVING that calculates is a condition on rows of groups', async () => {
  expect(
    await printed(
      'select lower(nick) from main.item group by lower(nick) having lower(nick) > $1 and count(*) > 1',
      { params: ['a'] },
    ),
  ).toBe(
    'result: select t3.c1 as c1 from (select lower((t1.`nick` collate utf8mb4_nopad_bin)) as c1, count(*) as c2 from `shop`.`item` as t1 group by lower((t1.`nick` collate utf8mb4_nopad_bin))) as t3 where ((t3.c1 > ?) and (t3.c2 > cast(? as signed))) limit 10001',
  )
})

test('columns of HAVING stand in an aggregate', async () => {
  expect(
    await printed('select 1 from main.item group by a having a > 2 and count(*) > 1'),
  ).toContain('having ((min(t1.`a`) > cast(? as signed)) and (count(*) > cast(? as signed)))')
})

test('no two columns of one name are grouped by', async () => {
  const sql = 'select 1 from main.part a join main.part b on true group by a.n, a.id, b.n'
  expect(await printed(sql)).toContain('group by t1.`n`, t1.`id`, coalesce(t2.`n`)')
})

test('groups under window functions are sorted for sure', async () => {
  expect(
    await printed(
      'select id, rank() over (order by count(*)) from main.item group by id order by id',
    ),
  ).toBe(
    'result: select t1.`id` as c1, rank() over (order by count(*)) as c2 from `shop`.`item` as t1 group by t1.`id` order by isnull(t1.`id`), t1.`id` limit 10001',
  )
})

test('documents are told apart by a key', async () => {
  expect(await printed('select distinct data from main.item')).toBe(
    'result: select t1.`data` as c1 from `shop`.`item` as t1 group by (json_normalize((t1.`data` collate utf8mb4_nopad_bin)) collate utf8mb4_nopad_bin) limit 10001',
  )
})

test('a window has the frame that was asked for', async () => {
  expect(
    await printed(
      'select sum(n) over (partition by item_id order by n rows between 1 preceding and current row) from main.part',
    ),
  ).toBe(
    'result: select cast(sum(t1.`n`) over (partition by t1.`item_id` order by isnull(t1.`n`), t1.`n` rows between 1 preceding and current row) as signed) as c1 from `shop`.`part` as t1 limit 10001',
  )
  await expect(
    printed('select sum(n) over (order by n groups 1 preceding) from main.part'),
  ).rejects.toMatchObject({ problem: 'unsupported' })
})

test('rows are locked where they are', async () => {
  expect(await printed('select id from main.part where id = 1 for update skip locked')).toBe(
    'result: select t1.`id` as c1 from `shop`.`part` as t1 where (t1.`id` = cast(? as signed)) limit 10001 for update skip locked',
  )
  expect(
    await printed('select id from main.item where id = 1 for share', {
      permissions: [
        { table: 'main.item', roles: ['anonymous'], select: { where: { open: true } }, update: {} },
      ],
    }),
  ).toBe(
    'result: select t1.c1 as c1 from (select t2.`id` as c1 from `shop`.`item` as t2 where ((t2.`open` <> 0) = true) lock in share mode) as t1 where (t1.c1 = cast(? as signed)) limit 10001 lock in share mode',
  )
})

test('series and lists are rows of JSON_TABLE', async () => {
  expect(await printed('select g from generate_series(1, 3) g')).toBe(
    "result: select (cast(? as signed) + (t1.o - 1) * 1) as c1 from json_table(case when (cast(? as signed) - cast(? as signed) + 1) > 4000000 then (9223372036854775807 + 10011) when (cast(? as signed) - cast(? as signed) + 1) >= 1 then concat('[', repeat('0,', (cast(? as signed) - cast(? as signed) + 1) - 1), '0]') end, '$[*]' columns (o for ordinality)) as t1 limit 10001",
  )
  expect(await printed('select u from unnest($1::int[]) u', { params: [[1, 2]] })).toBe(
    "result: select t1.c1 as c1 from json_table(?, '$[*]' columns (o for ordinality, c1 bigint path '$' error on error)) as t1 limit 10001",
  )
})

test('what an outer query alone decides about an outer join is not forgotten', async () => {
  const sql =
    'select (select count(q.id) from main.part p left join main.part q on q.id = p.n and i.a > 1) from main.item i'
  expect(await printed(sql)).toContain(
    'left join `shop`.`part` as t3 on ((t3.`id` = t2.`n`) and ((t1.`a` > cast(? as signed)) or rand() < 0))',
  )
  expect(await printed(sql, { flavor: mySql })).not.toContain('rand()')
})

test('what an outer join makes NULL is hidden from MIN and MAX', async () => {
  const text = await printed(
    'select max(x.k) from main.part p left join (select id, coalesce(n, 5) as k from main.part) x on x.id = p.n',
  )
  expect(text).toContain('max(coalesce(t3.c2))')
})

test('functions that number rows have an order, and no frame', async () => {
  expect(
    await printed('select row_number() over (rows unbounded preceding) from main.part'),
  ).toContain('row_number() over (order by null)')
})

test('a recursion without an end is refused', async () => {
  await expect(
    printed(
      'with recursive q(n) as (select 1 union all select n + 1 from q) select n from q limit 5',
    ),
  ).rejects.toMatchObject({ problem: 'unsupported' })
})

test('windows that say nothing borrow a key from others', async () => {
  expect(
    await printed(
      'select count(*) over (), max(n) over (order by id), rank() over () from main.part',
    ),
  ).toContain(
    'select count(*) over (order by t1.`id` rows between unbounded preceding and unbounded following) as c1, ' +
      'max(t1.`n`) over (order by t1.`id`) as c2, cast(? as signed) as c3 from',
  )
  expect(await printed('select count(*) over () from main.part')).toContain('count(*) over ()')
})

test('a subquery that reads nothing is never printed behind IN', async () => {
  const from = 'from (select id as k, n from main.part) x'
  const text = await printed(
    `select x.k ${from} where x.k in (select x.n) and x.n = any (select x.k limit 1)`,
  )
  expect(text).toContain('where ((t2.c1 = t2.c2) and (t2.c2 = t2.c1))')
})

test('rows of constants alone are skipped around DISTINCT', async () => {
  expect(await printed('select distinct 1 from main.part limit 3 offset 1')).toContain(
    'as c1 from (select distinct cast(? as signed) as c1 from `shop`.`part` as t1) as t',
  )
})

test('outputs are printed in steps of their own, to the same statement', async () => {
  const outputs = Array.from({ length: 100 }, (_, i) => `id + ${i}`)
  const sql = `select ${outputs.join(', ')} from main.item`
  const { authorized, compiled: expected } = await authorizedAndCompiled(sql)
  const steps = compileInSteps(authorized, mariaDb)
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count += 1
  expect(count).toBeGreaterThanOrEqual(outputs.length)
  expect(step.value.steps).toEqual(expected.steps)
})
