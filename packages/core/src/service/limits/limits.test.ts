import { describe, expect, test } from 'vitest'
import { bindShop } from '../../compiler/bind/test-support/bind-shop-for-test.ts'
import { relationDepth } from '../../compiler/limits/relation-depth.ts'
import { measureSyntax } from '../../compiler/limits/syntax-shape.ts'
import { parseStatement } from '../../compiler/sql/parse.ts'

const shapeOf = (sql: string) => measureSyntax(parseStatement(sql).statement)

describe('nesting of filters', () => {
  test.each([
    ['nothing', 'select 1', 0],
    ['one condition', 'select 1 where a = 1', 0],
    ['AND', 'select 1 where a = 1 and b = 2 and c = 3', 1],
    ['brackets around the same', 'select 1 where a = 1 and (b = 2 and (c = 3 and d = 4))', 1],
    ['OR in AND', 'select 1 where a = 1 and (b = 2 or c = 3)', 2],
    ['alternation', 'select 1 where a or (b and (c or not (d and e)))', 5],
    ['NOT of NOT', 'select 1 where not not not a', 1],
    ['a function between', 'select 1 where a and coalesce(b and c, d)', 2],
    ['a subquery counts by itself', 'select 1 where a and exists (select 1 where b or c)', 1],
    ['outputs too', 'select a and (b or c)', 2],
    ['ON', 'select 1 from t join u on a and (b or (c and d))', 3],
  ])('%s', (_, sql, expected) => expect(shapeOf(sql).filterNesting).toBe(expected))
})

describe('conditions', () => {
  test.each([
    ['none', 'select a = 1', 0],
    ['each leaf', 'select 1 where a = 1 and (b = 2 or not c)', 3],
    ['an IN list is one', 'select 1 where a in (1, 2, 3, 4, 5)', 1],
    ['so are BETWEEN and rows', 'select 1 where a between 1 and 2 and (b, c) = (1, 2)', 2],
    ['everywhere', 'select sum(x) filter (where a) from t join u on b where c having d', 4],
    ['USING names columns', 'select 1 from t join u using (a, b)', 2],
    ['CASE with conditions', "select case when a = 1 then 'x' when b = 2 then 'y' end", 2],
    ['CASE of values', "select case a when 1 then 'x' when 2 then 'y' end", 0],
    [
      'ON TRUE asks nothing',
      'select 1 from t cross join lateral (select 1) q, u join v on true',
      0,
    ],
    ['subqueries', 'select 1 where a = 1 and exists (select 1 where b = 2 and c = 3)', 4],
    ['writes', "update t set a = 1 where b = 2 and c = 'x'", 2],
    [
      'DO UPDATE',
      'insert into t (a) values (1) on conflict (a) do update set a = 2 where t.b = 3',
      1,
    ],
  ])('%s', (_, sql, expected) => expect(shapeOf(sql).filterConditions).toBe(expected))
})

test('lists, WITH queries, set operations and FROM items are counted', () => {
  const sql = `with p as (select 1 where 1 in (1, 2, 3)), q as (select array[1, 2, 3, 4])
    select 1 from p, q, (select 1) r union select 1 from generate_series(1, 2) union select 2`
  expect(shapeOf(sql)).toMatchObject({
    listItems: 4,
    commonTables: 2,
    setOperations: 2,
    fromItems: 4,
  })
})

describe('tables behind each other', () => {
  const orders = 'select o.id from orders o'
  test.each([
    ['none', 'select 1', 0],
    ['one', orders, 1],
    ['parent and child', `${orders} join order_items l on l.order_id = o.id`, 2],
    [
      'one more level',
      `${orders} join order_items l on l.order_id = o.id join products p on p.id = l.product_id`,
      3,
    ],
    [
      'two children of one parent',
      `${orders} join order_items l on l.order_id = o.id join customers c on c.id = o.customer_id`,
      2,
    ],
    ['a comma list', `${orders}, order_items l where l.order_id = o.id`, 2],
    ['a cross join', `${orders} cross join order_items l cross join products p`, 3],
    ['a derived table adds nothing by itself', 'select id from (select id from orders) q', 1],
    [
      'a lateral child',
      `${orders} left join lateral (select l.product_id from order_items l where l.order_id = o.id) q on true`,
      2,
    ],
    [
      'a lateral grandchild',
      `${orders} left join lateral (
         select l.product_id from order_items l
         left join lateral (select p.id from products p where p.id = l.product_id) x on true
         where l.order_id = o.id) q on true`,
      3,
    ],
    [
      'lateral siblings',
      `${orders}
       left join lateral (select l.product_id from order_items l where l.order_id = o.id) q on true
       left join lateral (select c.id from customers c where c.id = o.customer_id) r on true`,
      2,
    ],
    ['IN', `${orders} where customer_id in (select id from customers)`, 2],
    [
      'EXISTS inside EXISTS',
      `${orders} where exists (select from order_items l where l.order_id = o.id
         and exists (select from products p where p.id = l.product_id))`,
      3,
    ],
    ['a subquery by itself', 'select (select count(*) from orders)', 1],
    [
      'beside a table it does not touch',
      `select id, (select count(*) from products) from orders`,
      1,
    ],
    [
      'in an output',
      'select (select count(*) from order_items where order_id = o.id) from orders o',
      2,
    ],
    [
      'WITH',
      'with q as (select id from orders) select q.id from q join products t on t.id = q.id',
      2,
    ],
    ['a set operation', `${orders} union select id from customers`, 1],
    [
      'recursion',
      'with recursive q(n) as (select id from orders union select n + 1 from q where n < 9) select n from q',
      1,
    ],
    ['a write', "update orders set status = 'x' where id = 1", 1],
    [
      'with what it reads',
      "update orders set status = 'x' from customers c where c.id = customer_id",
      2,
    ],
    [
      'INSERT of a query',
      'insert into products (id) select o.id from orders o join order_items l on l.order_id = o.id',
      2,
    ],
  ])('%s', (_, sql, expected) => expect(relationDepth(bindShop(sql))).toBe(expected))
})
