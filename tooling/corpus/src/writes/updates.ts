import { onPostgres, step, type WriteCase, write, writes } from '../case.ts'

const allScratch = 'select * from {scratch} order by id'
const allMemberships = 'select * from {memberships} order by id'
const allStock = 'select * from {stock} order by code'
const allCounters = 'select * from {counters} order by key'
const someProducts =
  'select id, name, unit_price, units_in_stock from {products} where id < 20 order by id'

export const updates: readonly WriteCase[] = writes('update', [
  onPostgres(
    write(
      'parts of arrays and documents',
      [
        step(
          `update {scratch} set data['k'] = $1, data['list'][2] = '7', data[$2] = 'null' where id < 3 returning id, data`,
          [{ a: 1 }, 'x'],
        ),
      ],
      'select * from {scratch} order by id',
    ),
  ),
  write(
    'one column',
    [step(`update {scratch} set name = $1 where id = $2`, ['changed', 1])],
    allScratch,
  ),
  write(
    'Drizzle spelling',
    [
      step(
        `update {memberships} set "role" = $1, "points" = "main"."memberships"."points" + 1 where "main"."memberships"."id" = $2 returning "points", "role"`,
        ['x', 2],
      ),
    ],
    allMemberships,
  ),
  write('every row', [step(`update {scratch} set n = n * 2, note = null`)], allScratch),
  write(
    'old values on the right side',
    [step(`update {scratch} set n = n + 1, big = n, small = n returning id, n, big, small`)],
    allScratch,
  ),
  write(
    'swap',
    [
      step(
        `update {memberships} set team = member, member = team where id < 4 returning id, team, member`,
      ),
    ],
    allMemberships,
  ),
  write(
    'swap through numbers',
    [step(`update {scratch} set n = small, small = n where small is not null and n < 100`)],
    allScratch,
  ),
  write('no row', [step(`update {scratch} set name = 'x' where id = -1 returning id`)], allScratch),
  write(
    'null condition changes nothing',
    [step(`update {scratch} set name = 'x' where amount > $1`, [null])],
    allScratch,
  ),
  write(
    'with a subquery',
    [
      step(
        `update {scratch} set n = (select count(*) from {tags}), note = (select name from {tags} where id = scratch.id)`,
      ),
    ],
    allScratch,
  ),
  write(
    'with a correlated condition',
    [
      step(
        `update {products} set units_in_stock = 0 where not exists (select 1 from {reviews} r where r.product_id = products.id) returning id`,
      ),
    ],
    `select id, units_in_stock from {products} order by id`,
  ),
  write(
    'with case',
    [
      step(
        `update {scratch} set name = case when id % 2 = 0 then upper(name) else name end, flag = not flag`,
      ),
    ],
    allScratch,
  ),
  write(
    'row of values',
    [step(`update {scratch} set (name, n) = ('row', 5) where id = 2`)],
    allScratch,
  ),
  write(
    'row of a subquery',
    [
      step(
        `update {scratch} set (name, n) = (select t.name, t.id from {tags} t where t.id = scratch.id) where id < 4`,
      ),
    ],
    allScratch,
  ),
  write(
    'row of a subquery without a row',
    [
      step(
        `update {scratch} set (note, amount) = (select t.name, 1.5 from {tags} t where t.id = -1) where id = 1`,
      ),
    ],
    allScratch,
  ),
  write(
    'alias',
    [step(`update {scratch} as s set name = s.name || '!' where s.id = 3 returning s.id, s.name`)],
    allScratch,
  ),
  write(
    'returning star',
    [step(`update {scratch} set ratio = 0.25 where id = 2 returning *`)],
    allScratch,
  ),
  write(
    'returning with three-part names',
    [
      step(
        `update {scratch} set n = 1 where id = 2 returning "main"."scratch"."id", "scratch"."n", "name" as "label"`,
      ),
    ],
    allScratch,
  ),
  write(
    'the key itself',
    [step(`update {counters} set key = key || '_' where key like 'h%' returning key`)],
    allCounters,
  ),
  write(
    'numeric arithmetic is exact',
    [
      step(`update {stock} set price = price * 1.1`),
      step(`update {stock} set price = price + 0.005 where code = 'A-1' returning price`),
    ],
    allStock,
  ),
  write(
    'integer division',
    [step(`update {scratch} set n = n / 2, amount = amount / 3`)],
    allScratch,
  ),
  write(
    'dates',
    [
      step(
        `update {scratch} set day = day + 30, at = at + interval '1 month' returning id, day, at`,
      ),
    ],
    allScratch,
  ),
  write(
    'timestamp from text with zeros',
    [step(`update {scratch} set at = '2024-05-05 05:05:05.500' where id = 1`)],
    `select id from {scratch} where at = '2024-05-05 05:05:05.5'`,
  ),
  write(
    'now',
    [step(`update {scratch} set at = now(), seen_at = now() where id = 1`)],
    `select at > timestamp '2020-01-01', seen_at > timestamptz '2020-01-01', at = seen_at from {scratch} where id = 1`,
  ),
  write(
    'json',
    [
      step(`update {scratch} set data = $1 where id = 1 returning data`, [{ a: [1, null] }]),
      step(`update {scratch} set data = data || '{"n": 2}' where id = 1`),
    ],
    allScratch,
  ),
  write(
    'jsonb_set',
    [
      step(
        `update {scratch} set data = jsonb_set(data, '{k}', '"new"') where id in (1, 2) returning id, data`,
      ),
    ],
    allScratch,
  ),
  write(
    'to null',
    [step(`update {scratch} set amount = null, day = $1, data = null where id = 1`, [null])],
    allScratch,
  ),
  write(
    'condition on a row',
    [
      step(
        `update {memberships} set points = 99 where (team, member) in (('red', 'bob'), ('blue', 'cy')) returning id`,
      ),
    ],
    allMemberships,
  ),
  write(
    'condition on any',
    [step(`update {memberships} set points = 50 where id = any($1)`, [[1, 4]])],
    allMemberships,
  ),
  write(
    'condition on a subquery of the same table',
    [
      step(
        `update {stock} set quantity = quantity + 1 where quantity = (select min(quantity) from {stock})`,
      ),
    ],
    allStock,
  ),
  write(
    'from a CTE',
    [
      step(
        `with top as (select id from {products} order by unit_price desc, id limit 3) update {products} set units_in_stock = -1 where id in (select id from top) returning id`,
      ),
    ],
    someProducts.replace('where id < 20 ', ''),
  ),
  write(
    'unique key moved along',
    [step(`update {folders} set id = id + 10 where id = 5 returning id`)],
    `select * from {folders} order by id`,
  ),
  write(
    'boolean from a comparison',
    [step(`update {scratch} set flag = n > 2 and note is not null`)],
    allScratch,
  ),
  write(
    'text into a varchar',
    [step(`update {scratch} set code = 'éclair' || '😀' where id = 1`)],
    allScratch,
  ),
  write(
    'bytes',
    [
      step(`update {scratch} set bytes = $1 where id = 1 returning bytes, length(bytes)`, [
        '\\xAB00',
      ]),
    ],
    allScratch,
  ),
  write(
    'update where current value differs',
    [step(`update {scratch} set note = 'set' where note is distinct from 'first'`)],
    allScratch,
  ),
])
