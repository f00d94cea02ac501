import { describe, expect, test } from 'vitest'
import { secured, type TestPermissions } from '../test-support/authorize-for-test.ts'

/** `orders` with a plain condition, `members` with a condition on another table, `customers` and `tags` without one. */
const permissions: TestPermissions = {
  orders: {
    table: 'main.orders',
    roles: ['r'],
    select: { where: { tenant: '$user.tenant' } },
    update: { where: { tenant: '$user.tenant' } },
    delete: { where: { tenant: '$user.tenant' } },
  },
  profiles: {
    table: 'main.profiles',
    roles: ['r'],
    select: { where: { customer: { tenant: '$user.tenant' } } },
    update: {},
  },
  customers: { table: 'main.customers', roles: ['r'], select: {} },
  tags: { table: 'main.tags', roles: ['r'], select: {} },
  samples: { table: 'main.samples', roles: ['r'], select: {}, insert: {} },
}

/** Names of the tables that got a barrier. */
function barriers(sql: string): readonly string[] {
  const text = secured(sql, permissions)
  return [...text.matchAll(/(\w+)\[[^[\]]*barrier\]/g)].map(([, name]) => name ?? '')
}

describe('conditions that cannot fail need no barrier', () => {
  test.each([
    'select * from main.orders where id = 5',
    'select * from main.orders where id = $1 and status <> $2 and total between 1 and $3',
    'select * from main.orders where status in ($1, $2) or notes is null',
    "select * from main.orders where not (tenant = 'x') and status >= 'a'",
    'select * from main.orders where id = any($1::int[])',
    'select * from main.orders where coalesce(customer_id, 0) = 5',
    "select * from main.orders where case when id = 1 then status = 'x' else true end",
    'select * from main.orders where customer_id is distinct from 5',
    'select * from main.orders where (id, customer_id) = (1, 2)',
    'select * from main.orders o join main.customers c on c.id = o.customer_id',
    'select * from main.orders where exists (select from main.customers c where c.id = customer_id)',
    'select * from main.orders where customer_id in (select id from main.customers)',
    'select status, count(*) from main.orders group by status having count(*) > 5',
    'select sum(total) from main.orders having sum(total) / 2 > 5',
    "select * from main.orders where texteq(status, 'x') and int4lt(id, $1)",
  ])('%s', (sql) => expect(barriers(sql)).toEqual([]))
})

describe('outputs run after every condition', () => {
  test.each([
    'select total / 2, lower(notes), freight::int from main.orders',
    'select max(total / 0) from main.orders',
    'select total / 2 as half from main.orders order by half',
    'select lower(status) from main.orders group by lower(status)',
    'select half from (select total / 2 as half from main.orders) q',
  ])('%s', (sql) => expect(barriers(sql)).toEqual([]))
})

describe('conditions that could fail need one', () => {
  test.each([
    ['an operator', 'select id from main.orders where total / 2 > 5'],
    ['a comparison of numerics', 'select id from main.orders where freight > 5'],
    ['LIKE', "select id from main.orders where notes like 'a%'"],
    ['a function', "select id from main.orders where substr(notes, 1, 1) = 'a'"],
    ['a cast', 'select id from main.orders where notes::int = 5'],
    ['a cast to a length', 'select id from main.orders where freight::numeric(3,1) is null'],
    ['a cast to a domain', 'select id from main.orders where customer_id::positive is null'],
    ['a range of two columns', 'select id from main.orders where int4range(id, customer_id) @> 5'],
    ['a range as a text', "select id from main.orders where status::int4range && '[1,5)'"],
    ['a multirange', 'select id from main.orders where isempty(status::int4multirange)'],
    ['a distance', "select id from main.orders where point(id, total) <-> '(1,2)' < 5"],
    ['a part of a point', 'select id from main.orders where (point(id, 1))[0] = 5'],
    ['money', "select id from main.orders where total::money / id > '$1'"],
    [
      'the function of an operator',
      'select id from main.orders where int4div(customer_id, id) = 5',
    ],
    ['a hash', 'select id from main.orders where hash_numeric(freight) = 5'],
    ['a subscript', 'select id from main.orders where (array[id])[1] = 5'],
    ['a slice', 'select id from main.orders where (array[id, id])[:1] is null'],
    [
      'a row compared with that of a query',
      'select id from main.orders where (id, customer_id) > (select c.id, c.id from main.customers c)',
    ],
    ['arrays of arrays', 'select id from main.orders where array[array[id], array[1]] is null'],
    ['a whole row', 'select id from main.orders o where row_to_json(o) is not null'],
    ['GREATEST of numerics', 'select id from main.orders where greatest(freight, 1) is null'],
    ['NULLIF of numerics', 'select id from main.orders where nullif(freight, 1) is null'],
    ['IN over numerics', 'select id from main.orders where freight in (1, 2)'],
    ['ANY over numerics', 'select id from main.orders where freight = any($1::numeric[])'],
    ['DISTINCT FROM over numerics', 'select id from main.orders where freight is distinct from 1'],
    ['a row of numerics', 'select id from main.orders where (id, freight) = (1, 2)'],
    ['ORDER of a HAVING', 'select total from main.orders group by total having total / 2 > 5'],
    ['an ON', 'select 1 from main.customers c left join main.orders o on o.total / c.id = 5'],
    [
      'a failure that depends on a cell without touching it',
      'select id from main.orders where case when total > 5 then 1 / (select 0) = 1 else true end',
    ],
    ['the same with OR', 'select id from main.orders where total > 5 or 1 / (select 0) = 1'],
    ['an argument in FROM', 'select 1 from main.orders o, generate_series(1, o.total / 2) g'],
    [
      'a column of a derived table',
      'select 1 from (select total / 2 as half from main.orders) q where half > 5',
    ],
    [
      'a column of a WITH query',
      'with q as (select total / 2 as half from main.orders) select 1 from q where half > 5',
    ],
    [
      'a column of one branch of a UNION',
      'select 1 from (select id as x from main.tags union all select total / 2 from main.orders) q where x > 5',
    ],
    [
      'a column of a recursive query',
      'with recursive q(x) as (select total from main.orders union all select x / 2 from q where x > 1) select 1 from q where x = 5',
    ],
    [
      'a scalar subquery over it',
      'select 1 from main.tags where id = (select o.id from main.orders o where o.id / 2 = 1)',
    ],
    [
      'an output of a correlated EXISTS',
      'select id from main.orders o where exists (select 1 / o.total union select 2)',
    ],
    [
      'VALUES in a correlated EXISTS',
      'select id from main.orders o where exists (values (1 / o.total))',
    ],
    [
      'ORDER BY in a correlated subquery',
      'select id from main.orders o where (select c.id from main.customers c order by c.id / o.total limit 1) = 1',
    ],
    [
      'LIMIT in a correlated subquery',
      'select id from main.orders o where exists (select from main.tags limit 10 / o.total)',
    ],
    [
      'an aggregate in a correlated subquery',
      'select id from main.orders o where (select sum(c.id / o.total) from main.customers c) > 1',
    ],
    [
      'a derived table in a correlated EXISTS',
      'select id from main.orders o where exists (select from (select 1 / o.total as x from main.tags offset 0) q)',
    ],
    ['an UPDATE', "update main.orders set status = 'x' where total / 2 > 5"],
    ['a DELETE', 'delete from main.orders where total / 2 > 5'],
  ])('%s: %s', (_, sql) => expect(barriers(sql)).toContain('orders'))
})

describe('a filter that looks at another table becomes a join', () => {
  test.each([
    ['nothing leaky', 'select * from main.profiles where id = 5', false],
    ['plain outputs come last', 'select lower(bio) from main.profiles', false],
    [
      'so do those of a subquery among outputs',
      'select (select lower(p.bio) from main.profiles p where p.id = c.id) from main.customers c',
      false,
    ],
    ['and new values', 'update main.profiles set bio = lower(bio) where id = 1', false],
    ['and what a write returns', "update main.profiles set bio = '' returning lower(bio)", false],
    [
      'outputs of a derived table may be moved down',
      'select y from main.customers c left join (select id, coalesce(1 / id, 0) as y from main.profiles) p using (id)',
      true,
    ],
    ['outputs to sort by', 'select lower(bio) as b from main.profiles order by b', true],
    ['outputs that must be distinct', 'select distinct lower(bio) from main.profiles', true],
    ['windows', 'select row_number() over (order by lower(bio)) from main.profiles', true],
    ['groups', 'select count(*) from main.profiles group by lower(bio)', true],
    ['sort keys', 'select id from main.profiles order by lower(bio)', true],
    [
      'a UNION',
      'select bio from main.profiles union all select lower(bio) from main.profiles',
      true,
    ],
    [
      'a condition on another table',
      'select 1 from main.profiles p join main.customers c on c.id = p.customer_id where p.bio = $1 and 1 / c.level > 0',
      true,
    ],
    [
      'a condition on no table',
      'select 1 from main.profiles p join main.customers c using (id) where 1 / (select 0) = 1',
      true,
    ],
    [
      'leaks in a subquery among outputs',
      'select (select c.id from main.customers c where lower(c.name) = p.bio limit 1) from main.profiles p',
      true,
    ],
  ])('%s: %s', (_, sql, expected) => {
    expect(barriers(sql).includes('profiles')).toBe(expected)
  })
})

describe('tables without a filter never get one', () => {
  test.each([
    'select id from main.customers where 1 / level > 0',
    'select c.id from main.customers c join main.orders o on o.total / c.level > 0',
  ])('%s', (sql) => expect(barriers(sql)).not.toContain('customers'))

  test('nor do tables that only have masks: a masked cell is a CASE', () => {
    const text = secured('select id from main.orders where total / 2 > 5', {
      a: { table: 'main.orders', roles: ['r'], select: { columns: ['id'] } },
      b: { table: 'main.orders', roles: ['r'], select: { where: { status: 'open' } } },
    })
    expect(text).toContain('mask total')
    expect(text).not.toContain('barrier')
  })
})
