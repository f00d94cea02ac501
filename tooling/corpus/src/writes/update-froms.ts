import { step, type WriteCase, write, writes } from '../case.ts'

const allScratch = 'select * from {scratch} order by id'
const allStock = 'select * from {stock} order by code'
const someProducts =
  'select id, name, unit_price, units_in_stock from {products} where id < 20 order by id'

export const updateFroms: readonly WriteCase[] = writes('update-from', [
  write(
    'one table',
    [
      step(
        `update {products} set "name" = "main"."suppliers"."name" from {suppliers} where ("main"."suppliers"."id" = "main"."products"."supplier_id" and "main"."products"."id" < $1)`,
        [10],
      ),
    ],
    someProducts,
  ),
  write(
    'aliases',
    [
      step(
        `update {products} p set units_in_stock = p.units_in_stock + c.id from {categories} c where c.id = p.category_id and p.id < 15 returning p.id, p.units_in_stock`,
      ),
    ],
    someProducts,
  ),
  write(
    'subquery',
    [
      step(
        `update {customers} set notes = 'orders: ' || t.n from (select customer_id, count(*) as n from {orders} group by customer_id) t where t.customer_id = customers.id`,
      ),
    ],
    `select id, notes from {customers} order by id`,
  ),
  write(
    'values',
    [
      step(
        `update {scratch} set name = v.name, n = v.n from (values (1, 'v1', 10), (2, 'v2', 20)) as v(id, name, n) where v.id = scratch.id returning scratch.id, scratch.name`,
      ),
    ],
    allScratch,
  ),
  write(
    'returning the other table',
    [
      step(
        `update {products} p set reorder_level = 1 from {categories} c where c.id = p.category_id and c.name = 'Tea' returning p.id, c.name, c.id`,
      ),
    ],
    `select id, reorder_level from {products} order by id`,
  ),
  write(
    'join in from',
    [
      step(
        `update {orders} o set ship_city = c.city, notes = e.last_name from {customers} c join {employees} e on e.id = c.id where c.id = o.customer_id and o.id < 30 returning o.id`,
      ),
    ],
    `select id, ship_city, notes from {orders} where id < 30 order by id`,
  ),
  write(
    'self',
    [
      step(
        `update {employees} e set title = 'reports to ' || m.last_name from {employees} m where m.id = e.manager_id returning e.id, e.title`,
      ),
    ],
    `select id, title from {employees} order by id`,
  ),
  write(
    'with a CTE',
    [
      step(
        `with t as (select product_id, avg(rating) as r from {reviews} group by product_id) update {products} set weight_kg = t.r::float8 from t where t.product_id = products.id and products.id < 12 returning id, weight_kg`,
      ),
    ],
    `select id, weight_kg from {products} where id < 12 order by id`,
  ),
  write(
    'no match',
    [
      step(
        `update {scratch} set name = 'x' from {tags} t where t.id = -scratch.id returning scratch.id`,
      ),
    ],
    allScratch,
  ),
  write(
    'several equal sources',
    [
      step(
        `update {tags} t set name = 'used ' || t.id from {product_tags} pt where pt.tag_id = t.id returning t.id`,
      ),
    ],
    `select * from {tags} order by id`,
  ),
  write(
    'old values with a join',
    [
      step(
        `update {stock} s set quantity = s.quantity + c.n, price = s.quantity from {counters} c where c.key = 'hits' returning s.code, s.quantity, s.price`,
      ),
    ],
    allStock,
  ),
  write(
    'several arrays',
    [
      step(
        `update {stock} s set quantity = u.q from unnest($1::text[], $2::int[]) as u(code, q) where u.code = s.code returning s.code, s.quantity, u.q`,
        [
          ['A-1', 'B-1', 'none'],
          [100, 200, 300],
        ],
      ),
    ],
    `select code, quantity from {stock} order by code`,
  ),
  write(
    'a recordset',
    [
      step(
        `update {stock} s set price = u.price from jsonb_to_recordset($1::jsonb) as u(code text, price numeric) where u.code = s.code returning s.code, s.price`,
        [
          [
            { code: 'A-1', price: 3.755 },
            { code: 'b-1', price: '4.5' },
          ],
        ],
      ),
    ],
    `select code, price from {stock} order by code`,
  ),
])
