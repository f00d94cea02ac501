import { step, type WriteCase, write, writes } from '../case.ts'

const allScratch = 'select * from {scratch} order by id'
const allCounters = 'select * from {counters} order by key'
const allTags = 'select * from {tags} order by id'

export const insertSelects: readonly WriteCase[] = writes('insert-select', [
  write(
    'plain',
    [
      step(
        `insert into {tags} (id, name) select id + 100, name || ' copy' from {tags} where id < 4`,
      ),
    ],
    allTags,
  ),
  write(
    'Drizzle spelling',
    [
      step(
        `insert into {tags} ("id", "name") select "id" + $1 as "id", "name" || $2 as "name" from {tags} where "main"."tags"."id" > $3 returning "id", "name"`,
        [200, '-x', 10],
      ),
    ],
    allTags,
  ),
  write(
    'numbered in order',
    [
      step(
        `insert into {tags} (name) select company_name || '#' || id from {customers} where id < 6 order by id desc returning id, name`,
      ),
    ],
    allTags,
  ),
  write(
    'aggregated',
    [step(`insert into {counters} (key, n) select status, count(*) from {orders} group by status`)],
    allCounters,
  ),
  write(
    'joined',
    [
      step(
        `insert into {scratch} (id, name, amount) select o.id + 1000, c.company_name, o.freight from {orders} o join {customers} c on c.id = o.customer_id where o.id <= 10`,
      ),
    ],
    allScratch,
  ),
  write(
    'with a CTE',
    [
      step(
        `with pick as (select id, name from {tags} where id in (2, 4)) insert into {scratch} (id, name) select id + 500, name from pick returning id, name`,
      ),
    ],
    allScratch,
  ),
  write(
    'nothing selected',
    [step(`insert into {tags} (id, name) select id, name from {tags} where false returning id`)],
    allTags,
  ),
  write(
    'types are converted on store',
    [
      step(
        `insert into {scratch} (id, name, amount, n, day) select 600 + id, unit_price, unit_price / 3, unit_price, created_at from {products} where id < 8`,
      ),
    ],
    allScratch,
  ),
  write(
    'from values',
    [
      step(
        `insert into {counters} (key, n) select v.k, v.n from (values ('v1', 1), ('v2', 2)) as v(k, n)`,
      ),
    ],
    allCounters,
  ),
  write(
    'from a union',
    [step(`insert into {counters} (key, n) select 'u1', 1 union all select 'u2', 2`)],
    allCounters,
  ),
  write(
    'into itself',
    [
      step(
        `insert into {folders} (id, name, parent_id) select id + 50, name, parent_id + 50 from {folders}`,
      ),
    ],
    `select * from {folders} order by id`,
  ),
  write(
    'order and limit',
    [
      step(
        `insert into {counters} (key, n) select name, units_in_stock from {products} order by unit_price desc, id limit 3`,
      ),
    ],
    allCounters,
  ),
  write(
    'json and booleans',
    [
      step(
        `insert into {scratch} (id, name, flag, data) select id + 700, sku, discontinued, attributes from {products} where id < 12`,
      ),
    ],
    allScratch,
  ),
])
