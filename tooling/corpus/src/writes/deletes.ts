import { step, type WriteCase, write, writes } from '../case.ts'

const allScratch = 'select * from {scratch} order by id'
const allMemberships = 'select * from {memberships} order by id'
const allCounters = 'select * from {counters} order by key'

export const deletes: readonly WriteCase[] = writes('delete', [
  write('one row', [step(`delete from {scratch} where id = $1`, [1])], allScratch),
  write(
    'returning',
    [
      step(
        `delete from {memberships} where "main"."memberships"."team" = $1 returning "id", "member"`,
        ['red'],
      ),
    ],
    allMemberships,
  ),
  write('returning star', [step(`delete from {scratch} where id = 5 returning *`)], allScratch),
  write('every row', [step(`delete from {memberships}`)], allMemberships),
  write(
    'no row',
    [step(`delete from {memberships} where team = 'RED' returning id`)],
    allMemberships,
  ),
  write(
    'null condition deletes nothing',
    [step(`delete from {scratch} where amount = $1`, [null])],
    allScratch,
  ),
  write(
    'with a subquery',
    [
      step(
        `delete from {reviews} where product_id in (select id from {products} where discontinued) returning id`,
      ),
    ],
    `select id from {reviews} order by id`,
  ),
  write(
    'with not exists',
    [
      step(
        `delete from {tags} t where not exists (select 1 from {product_tags} pt where pt.tag_id = t.id) returning t.id`,
      ),
    ],
    `select id from {tags} order by id`,
  ),
  write(
    'with a subquery on the same table',
    [step(`delete from {scratch} where n < (select avg(n) from {scratch}) returning id`)],
    allScratch,
  ),
  write(
    'alias',
    [step(`delete from {scratch} as s where s.id = 2 returning s.name, s.id`)],
    allScratch,
  ),
  write(
    'from a CTE',
    [
      step(
        `with old as (select id from {reviews} where created_at < '2023-06-01') delete from {reviews} where id in (select id from old) returning id`,
      ),
    ],
    `select id from {reviews} order by id`,
  ),
  write(
    'using',
    [
      step(
        `delete from {order_items} using {products} where "main"."order_items"."product_id" = "main"."products"."id" and "main"."products"."discontinued" = $1`,
        [true],
      ),
    ],
    `select order_id, product_id from {order_items} order by 1, 2`,
  ),
  write(
    'using with returning',
    [
      step(
        `delete from {reviews} r using {customers} c where c.id = r.customer_id and c.country = 'Germany' returning r.id, c.company_name`,
      ),
    ],
    `select id from {reviews} order by id`,
  ),
  write(
    'using two tables',
    [
      step(
        `delete from {product_tags} pt using {products} p, {tags} t where p.id = pt.product_id and t.id = pt.tag_id and t.name = 'sale' and p.id < 40 returning pt.product_id`,
      ),
    ],
    `select * from {product_tags} order by 1, 2`,
  ),
  write(
    'using a subquery',
    [
      step(
        `delete from {scratch} s using (select id from {tags} where id < 3) x where x.id = s.id returning s.id`,
      ),
    ],
    allScratch,
  ),
  write(
    'using with several matches',
    [step(`delete from {counters} c using {tags} t where c.n < t.id`)],
    allCounters,
  ),
  write(
    'cascades',
    [step(`delete from {orders} where id in (1, 2, 3) returning id`)],
    `select (select count(*) from {orders}), (select count(*) from {order_items}), (select count(*) from {order_items} where order_id < 4)`,
  ),
  write(
    'cascades through itself',
    [step(`delete from {folders} where id = 1`)],
    `select * from {folders} order by id`,
  ),
  write(
    'sets null',
    [
      step(`delete from {customer_profiles} where customer_id = 60`),
      step(`delete from {customers} where id = 60 returning company_name`),
    ],
    `select id, customer_id from {reviews} order by id`,
  ),
  write(
    'condition on any',
    [step(`delete from {scratch} where id = any($1) returning id`, [[1, 3, 99]])],
    allScratch,
  ),
  write(
    'row condition',
    [
      step(
        `delete from {product_tags} where (product_id, tag_id) in (select product_id, min(tag_id) from {product_tags} group by product_id)`,
      ),
    ],
    `select * from {product_tags} order by 1, 2`,
  ),
])
