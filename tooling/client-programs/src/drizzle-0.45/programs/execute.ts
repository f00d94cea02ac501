import { sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, orders } from '../schema.ts'

/** Statements written by hand, prepared statements, and what a gateway must refuse. */
export const executed: readonly Program<Db>[] = [
  read('rows of a statement by hand are objects', (db) =>
    db.execute(sql`select id, status, order_date from main.orders where id < ${5} order by id`),
  ),
  read('a statement by hand with tables and columns of the schema', (db) =>
    db.execute(
      sql`select ${customers.companyName} as name, count(*) as n from ${customers} join ${orders} on ${orders.customerId} = ${customers.id} group by ${customers.id} order by n desc, name limit ${3}`,
    ),
  ),
  read('a statement by hand that ends in a semicolon', (db) =>
    db.execute(sql`select count(*) as n from main.tags;`),
  ),
  read('a statement by hand with a comment', (db) =>
    db.execute(sql`select id /* the key */ from main.tags -- all of them
      order by id`),
  ),
  read('a statement by hand without a table', (db) => db.execute(sql`select 1 as one, 'a' as a`)),
  read('parts of a statement joined', (db) => {
    const conditions = [sql`status = ${'new'}`, sql`id < ${50}`, sql`freight is not null`]
    return db.execute(
      sql`select id from main.orders where ${sql.join(conditions, sql` and `)} order by id`,
    )
  }),
  read('identifiers and raw text', (db) =>
    db.execute(
      sql`select ${sql.identifier('name')} from ${sql.identifier('main')}.${sql.identifier('tags')} order by ${sql.raw('id desc')}`,
    ),
  ),
  read('a recursive common table expression over a tree', (db) =>
    db.execute(sql`
      with recursive tree(id, name, depth) as (
        select id, name, 0 from main.categories where parent_id is null
        union all
        select c.id, c.name, t.depth + 1 from main.categories c join tree t on c.parent_id = t.id
      )
      select id, name, depth from tree order by depth, id`),
  ),
  read('a recursive common table expression that counts', (db) =>
    db.execute(sql`
      with recursive numbers(n) as (
        select 1 union all select n + 1 from numbers where n < ${10}
      )
      select n, n * n as square from numbers order by n`),
  ),
  read('values as a table', (db) =>
    db.execute(
      sql`select v.id, v.word from (values (1, 'one'), (2, 'two'), (3, null)) as v(id, word) order by v.id desc`,
    ),
  ),
  read('values joined with a table', (db) =>
    db.execute(sql`
      select t.name, v.weight from main.tags t
      join (values (1, 10), (3, 30)) as v(id, weight) on v.id = t.id order by t.id`),
  ),
  read('named windows', (db) =>
    db.execute(sql`
      select id, sum(freight) over w as sum, count(*) over w as n from main.orders
      window w as (partition by customer_id order by id) order by id`),
  ),
  read('union in which both sides have parameters', (db) =>
    db.execute(
      sql`select id from main.tags where id < ${3} union select id from main.categories where id > ${8} order by id`,
    ),
  ),
  read('any of a subquery, all of a subquery', (db) =>
    db.execute(sql`
      select id from main.products
      where unit_price >= all (select unit_price from main.products)
      or id = any (select product_id from main.order_items where quantity = 100) order by id`),
  ),
  read('a join using a column', (db) =>
    db.execute(sql`
      select product_id, count(*) as n from main.order_items
      join main.product_tags using (product_id) group by product_id order by product_id`),
  ),
  read('between symmetric', (db) =>
    db.execute(sql`select id from main.orders where id between symmetric 20 and 10 order by id`),
  ),
  read('fetch first rows', (db) =>
    db.execute(
      sql`select id, unit_price from main.products order by unit_price desc, id fetch first 5 rows only`,
    ),
  ),
  read(
    'a materialized view brought up to date',
    (db) => db.execute(sql`refresh materialized view main.country_counts`),
    { portable: false, expect: 'refused' },
  ),
  read(
    'a plan explained',
    async (db) => {
      const plan = await db.execute(sql`explain select * from main.tags`)
      return JSON.stringify(plan).includes('QUERY PLAN')
    },
    { portable: false },
  ),
  read('an unknown table', (db) => db.execute(sql`select * from main.nowhere`), {
    expect: { rejected: 404 },
  }),
  read('an unknown column', (db) => db.execute(sql`select nothing from main.tags`), {
    expect: { rejected: 400 },
  }),
  read('a statement that does not parse', (db) => db.execute(sql`selct 1`), {
    expect: { rejected: 400 },
  }),
  read('a function of the server', (db) => db.execute(sql`select pg_backend_pid() > 0 as known`), {
    portable: false,
    expect: 'refused',
  }),
  read(
    'a catalog of the server',
    (db) => db.execute(sql`select count(*) as n from pg_catalog.pg_class where relname = 'tags'`),
    {
      portable: false,
      expect: 'refused',
    },
  ),
  read('two statements at once', (db) => db.execute(sql`select 1 as one; select 2 as two`), {
    expect: 'refused',
  }),
  read('the end of a transaction', (db) => db.execute(sql`commit`), { expect: 'refused' }),
]
