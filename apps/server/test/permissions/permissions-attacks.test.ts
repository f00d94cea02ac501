/**
 * Statements that try to learn something about hidden rows. Two databases that differ only in data that the caller may
 * not see answer each: the answers must be identical in every byte, errors included. The numbers are those of the list
 * of leak vectors that the permission engine must close.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  type Claims,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'

const filler = Array.from({ length: 400 }, (_, i) => i + 100)

/** Hidden rows that make an operation fail, or harmless ones instead. */
function hiddenRows(isHostile: boolean): string {
  const [total, notes] = isHostile ? [0, 'CANARY'] : [15, 'plain']
  const orders = filler.map(
    (id) => `(${id}, 3, 'umbra', 'paid', ${total}, '${notes}', 'H${id}', '2024-01-01 10:00:00')`,
  )
  const change = isHostile
    ? "update orders set notes = 'CANARY' where tenant = 'umbra';"
    : `update orders set total = 15, notes = 'plain', status = 'new', placed = null where tenant = 'umbra';
       update customers set name = 'Zoe', city = 'Bern', email = null where tenant = 'umbra';
       update order_lines set product = 'tea' where order_id > 4;
       update feedback set body = 'fine', level = 1 where tenant = 'umbra';`
  return `
    insert into orders (id, customer_id, tenant, status, total, notes, code, placed) values ${orders.join(', ')};
    insert into members (id, tenant, who) values (10, 'umbra', '${notes}');
    ${change}
    analyze;`
}

const member = {
  $exists: { table: 'main.members', where: { who: '$user.name', tenant: { $outer: 'tenant' } } },
}

/** The same rows, by conditions that databases evaluate in different ways. */
const policies: readonly (readonly [string, unknown])[] = [
  ['equality', mine],
  ['a list', { tenant: { $in: '$user.tenants' } }],
  ['membership', member],
  ['a relation', { customer: mine }],
  [
    'many conditions',
    { $and: [{ tenant: { $nin: '$user.others' } }, { notes: { $nlike: '%nothing%' } }, mine] },
  ],
]

const caller: Claims = {
  roles: ['clerk'],
  name: 'ada',
  tenant: 'acme',
  tenants: ['acme', ...Array.from({ length: 100 }, (_, i) => `t${i}`)],
  others: Array.from({ length: 100 }, (_, i) => `t${i}`),
}

const o = 'main.orders'
const reads: readonly (readonly [string, string])[] = [
  [
    '1: a WITH query of the name of a table',
    `with orders as (select id from ${o}) select count(*) from orders`,
  ],
  ['1: an alias of the name of a table', `select count(*) from ${o} customers`],
  [
    '2: a table inside of the WITH query of its name',
    `with orders as (select * from ${o}) select count(*) from ${o}, orders`,
  ],
  ['4: the catalog', 'select count(*) from pg_catalog.pg_class'],
  ['4: the catalog', 'select count(*) from "sqlite_master"'],
  ['4: the catalog', 'select count(*) from main.sqlite_master'],
  ['10: whole rows', `select to_json(o) from ${o} o order by id`],
  ['10: a table as a column', `select o from ${o} o`],
  ['10: a row that is NULL', `select count(*) from ${o} o where o is not null`],
  ['11: columns under other names', `select a, e from ${o} as x(a, b, c, d, e) order by 1`],
  ['12: system columns', `select ctid from ${o}`],
  ['12: system columns', `select rowid from ${o}`],
  ['12: system columns', `select xmin, tableoid from ${o}`],
  ['13: a table as a type', `select (null::"main"."orders").id`],
  [
    '13: a table as a type of rows',
    `select * from json_populate_recordset(null::${o}, '[{"id": 1, "total": 2, "nosuch": 3}]')`,
  ],
  [
    '13: rows of a table over JSON',
    `select r.* from ${o} o, json_populate_record(o, '{"id": 7}') r order by o.id`,
  ],
  ['13: names of tables', `select 'main.orders'::regclass`],
  ['14: NATURAL', `select count(*) from ${o} a natural join ${o} b`],
  [
    '15: the outer side of a join',
    `select c.id, count(x.id) from main.customers c left join ${o} x on x.customer_id = c.id group by c.id order by 1`,
  ],
  [
    '15: the outer side of a join',
    `select count(*) from main.customers c full join ${o} x on x.id = c.id`,
  ],
  ['16: ORDER BY', `select id from ${o} order by notes, id limit 1`],
  ['17: LIMIT', `select id from ${o} order by id limit (select count(*) from ${o})`],
  ['17: OFFSET', `select id from ${o} order by id offset (select count(*) - 1 from ${o})`],
  ['23: who am I', 'select current_user'],
  ['24: functions that read', `select query_to_xml('select 1', true, false, '')`],
  ['24: functions that read', `select pg_read_file('/etc/passwd')`],
  ['24: functions that set', `select set_config('a.b', 'c', false)`],
  ['24: functions that wait', `select id from ${o} where pg_sleep(0) is null`],
  ['24: functions that wait', 'select pg_sleep((select count(*) from main.orders))'],
  ['24: functions of SQLite', `select load_extension('x')`],
  ['25: operators of a schema', `select 1 operator(pg_catalog.+) 1`],
  ['26: several statements', `select 1; select * from ${o}`],
  [
    '27: comments',
    `select id /* ' */ from ${o} -- where
    order by id`,
  ],
  ['38: division', `select id from ${o} where 100 / total > 1 order by id`],
  ['38: a range', `select id from ${o} where int4range(1, total) @> 12 order by id`],
  [
    '38: points',
    `select id from ${o} where npoints(polygon(total, circle '<(0,0),1>')) > 2 order by id`,
  ],
  ['38: money', `select id from ${o} where money '10' / total > money '0' order by id`],
  [
    '38: the function of an operator',
    `select id from ${o} where int4div(100, total) > 1 order by id`,
  ],
  [
    '38: an aggregate of ranges',
    `select range_agg(int4range(1, total)) from ${o} where int4range(1, total) && '[5,6)'`,
  ],
  [
    '38: division in ON',
    `select count(*) from main.customers c join ${o} x on 100 / x.total > c.id`,
  ],
  [
    '38: division in HAVING',
    `select total from ${o} group by total having 100 / total > 1 order by 1`,
  ],
  [
    '38: division in CASE',
    `select id from ${o} where case when total < 10 then 1 / (total - total) > 0 else true end order by id`,
  ],
  [
    '38: a failure that touches no cell',
    `select id from ${o} where case when total < 10 then 1 / (select 0) > 0 else true end order by id`,
  ],
  [
    '38: the same with OR',
    `select id from ${o} where total >= 10 or 1 / (select 0) > 0 order by id`,
  ],
  ['38: the same with AND', `select id from ${o} where total < 10 and 1 / (select 0) > 0`],
  ['38: overflow', `select id from ${o} where total * 2 > 0 order by id`],
  ['38: overflow of a cast', `select id from ${o} where total::int2 > 0 order by id`],
  [
    '38: a cast of text',
    `select id from ${o} where coalesce(notes, '1')::text <> 'x' and (case when notes like 'C%' then notes else '1' end)::int = 1 order by id`,
  ],
  ['38: a cast to a length', `select id from ${o} where (total + 1)::numeric(3,0) > 0 order by id`],
  [
    '38: numeric scale',
    `select id from ${o} where round(1.0 / nullif(total, 10), 2) > 0 order by id`,
  ],
  [
    '38: substring',
    `select id from ${o} where substring(notes from 1 for total) <> '' order by id`,
  ],
  ['38: LIKE', `select id from ${o} where notes like '_ANAR\\' order by id`],
  ['38: ILIKE', `select id from ${o} where notes ilike 'CANAR\\' order by id`],
  ['38: NOT LIKE', `select id from ${o} where notes not like '_ANAR\\' order by id`],
  ['38: a regular expression', `select id from ${o} where notes ~ '(' order by id`],
  ['38: JSON', `select id from ${o} where notes::json is not null`],
  ['38: dates', `select id from ${o} where make_date(total, 1, 1) is not null order by id`],
  ['38: logarithms', `select id from ${o} where ln(total) > 0 order by id`],
  ['38: roots', `select id from ${o} where sqrt(total - 1) > 0 order by id`],
  ['38: powers', `select id from ${o} where power(total::float8, 300) > 0 order by id`],
  ['38: chr', `select id from ${o} where chr(total) <> '' order by id`],
  ['38: repeat', `select id from ${o} where length(repeat('x', total)) > 0 order by id`],
  [
    '38: several rows',
    `select id from main.customers c where id = (select x.customer_id from ${o} x where x.customer_id = c.id and x.status = 'new') order by id`,
  ],
  ['38: more than one row of all', `select (select id from ${o} where status = 'new')`],
  [
    '38: an output of a correlated EXISTS',
    `select id from ${o} x where exists (select 1 / x.total union select 2) order by id`,
  ],
  ['38: VALUES in EXISTS', `select id from ${o} x where exists (values (1 / x.total)) order by id`],
  [
    '38: a correlated LIMIT',
    `select id from ${o} x where exists (select from main.customers limit 10 / x.total) order by id`,
  ],
  [
    '38: IN over a computed set',
    `select id from ${o} x where 1 in (select 10 / x.total union all select 1) order by id`,
  ],
  ['38: a scalar subquery', `select id from ${o} x where (select 100 / x.total) > 1 order by id`],
  [
    '38: a derived table',
    `select q from (select 100 / total as q from ${o}) s where q > 1 order by 1`,
  ],
  [
    '38: a WITH query',
    `with s as (select 100 / total as q from ${o}) select q from s where q > 1 order by 1`,
  ],
  [
    '38: a materialized one',
    `with s as materialized (select id, total from ${o}) select id from s where 100 / total > 1 order by 1`,
  ],
  [
    '38: one branch of a UNION',
    `select q from (select 1 as q union all select 100 / total from ${o}) s where q > 1 order by 1`,
  ],
  [
    '38: outputs under an outer join',
    `select c.id, s.q from main.customers c left join (select id, coalesce(100 / total, 0) as q from ${o}) s on s.id = c.id order by 1`,
  ],
  [
    '38: outputs of LATERAL',
    `select c.id, s.q from main.customers c left join lateral (select coalesce(100 / x.total, 0) as q from ${o} x where x.id = c.id) s on true order by 1`,
  ],
  [
    '38: a function in FROM',
    `select x.id, g from ${o} x, generate_series(1, 20 / x.total) g order by 1, 2`,
  ],
  ['38: sort keys', `select id from ${o} order by 100 / total, id`],
  ['38: groups', `select 100 / total, count(*) from ${o} group by 1 order by 1`],
  ['38: DISTINCT ON', `select distinct on (100 / total) id from ${o} order by 100 / total, id`],
  ['38: windows', `select id, sum(100 / total) over (order by 100 / total) from ${o} order by id`],
  ['38: aggregates', `select sum(100 / total) from ${o}`],
  ['38: FILTER', `select count(*) filter (where 100 / total > 1) from ${o}`],
  ['38: ordered aggregates', `select string_agg(status, ',' order by 100 / total, id) from ${o}`],
  ['38: outputs', `select id, 100 / total from ${o} order by id`],
  [
    '38: COALESCE',
    `select id from ${o} where coalesce(notes, (1 / (total - 40))::text) is not null order by id`,
  ],
  ['38: NULLIF', `select id from ${o} where nullif(100 / total, 5) is not null order by id`],
  ['38: GREATEST', `select id from ${o} where greatest(100 / total, 1) > 1 order by id`],
  ['38: BETWEEN', `select id from ${o} where 100 between 1 and 1000 / total order by id`],
  ['38: IN a list', `select id from ${o} where 5 in (100 / total, 50 / total) order by id`],
  ['38: a row', `select id from ${o} where (1, 100 / total) > (1, 4) order by id`],
  ['38: ANY of an array', `select id from ${o} where 5 = any(array[100 / total]) order by id`],
  [
    '38: JSON that is no object',
    `select o.id, r.n from ${o} o, json_to_record(case when notes = 'CANARY' then '1' else '{}' end::json) r(n int) order by o.id`,
  ],
  [
    '38: a field of a computed row',
    `select (s.r).f1 from (select row(id, 100 / total) as r from ${o}) s order by 1`,
  ],
  ['38: IS DISTINCT FROM', `select id from ${o} where 100 / total is distinct from 5 order by id`],
  [
    '38: a recursive query',
    `with recursive q(t) as (select total from ${o} union select 100 / t from q where t > 50) select t from q order by 1`,
  ],
  ['41: EXPLAIN', `explain select * from ${o}`],
  ['43: sequences', `select lastval()`],
  ['44: counts', `select count(*), count(distinct status), max(total), min(total) from ${o}`],
  [
    '44: gaps',
    `select g from generate_series(1, 9) g where not exists (select from ${o} x where x.id = g) order by 1`,
  ],
  [
    '44: other tables through hidden keys',
    `select count(*) from main.order_lines l where exists (select from ${o} x where x.id = l.order_id)`,
  ],
]

const writes: readonly (readonly [string, string])[] = [
  [
    '19: DO UPDATE of a hidden row',
    `insert into ${o} (id, customer_id, tenant, total) values (5, 1, 'acme', 1) on conflict (id) do update set total = 1 where 100 / orders.total > 1 returning id`,
  ],
  [
    '20: SET of hidden cells',
    `update ${o} set total = 100 / total where total > 0 returning id, total`,
  ],
  [
    '21: FROM',
    `update ${o} x set total = y.total from ${o} y where y.id = x.id + 4 returning x.id`,
  ],
  [
    '21: FROM that fails',
    `update ${o} x set total = 1 from ${o} y where 100 / y.total > 1 and y.id = x.id returning x.id`,
  ],
  ['38: WHERE of an UPDATE', `update ${o} set status = 'x' where 100 / total > 1 returning id`],
  [
    '38: the same with CASE',
    `update ${o} set status = 'x' where case when total < 10 then 1 / (select 0) > 0 else true end returning id`,
  ],
  [
    '38: WHERE of a DELETE',
    `delete from main.order_lines l where exists (select 100 / l.order_id from ${o} x where x.id = l.order_id and 100 / x.total > 1)`,
  ],
  [
    '38: USING',
    `delete from main.order_lines l using ${o} x where x.id = l.order_id and 100 / x.total > 5`,
  ],
  [
    '38: INSERT ... SELECT',
    `insert into main.order_lines (order_id, position, product) select id, 100 / total + 10, 'x' from ${o}`,
  ],
  ['47: counts of rows', `update ${o} set status = 'x'`],
  ['54: moving a row away', `update ${o} set tenant = 'umbra' where id = 1`],
  ['57: RETURNING that fails', `update ${o} set status = 'y' returning 100 / total`],
]

describeDatabases('attacks', (open) => {
  for (const [name, where] of policies) {
    describe(`on rows hidden by ${name}`, () => {
      const worlds: PermissionWorld[] = []
      const gateways: PermissionGateway[] = []
      beforeAll(async () => {
        for (const isHostile of [true, false]) {
          const world = await createWorld(open, hiddenRows(isHostile))
          worlds.push(world)
          gateways.push(
            await world.open(
              {
                orders: {
                  table: 'main.orders',
                  roles: ['clerk'],
                  select: { where },
                  insert: { check: mine },
                  update: { where, check: where },
                },
                customers: {
                  table: 'main.customers',
                  roles: ['clerk'],
                  select: { columns: ['id'], where: { id: { $lt: 3 } } },
                },
                lines: {
                  table: 'main.order_lines',
                  roles: ['clerk'],
                  select: { where: { order: where } },
                  insert: {},
                  delete: {},
                },
              },
              { isDevelopment: false },
            ),
          )
        }
      })
      afterAll(async () => {
        for (const world of worlds) await world.close()
      })

      async function answers(sql: string): Promise<readonly string[]> {
        const found: string[] = []
        for (const gateway of gateways) {
          const { status, body } = await gateway.ask(caller, sql)
          const { correlation_id: _, ...rest } = body as Readonly<Record<string, unknown>>
          found.push(JSON.stringify([status, rest]))
        }
        return found
      }

      test.each(reads)('%s: %s', async (_, sql) => {
        const [hostile, harmless] = await answers(sql)
        expect(hostile).toBe(harmless)
        expect(hostile).not.toContain('CANARY')
        expect(hostile).not.toMatch(/^\[5/)
      })
      test.each(writes)('%s: %s', async (_, sql) => {
        const [hostile, harmless] = await answers(sql)
        expect(hostile).toBe(harmless)
        expect(hostile).not.toMatch(/CANARY|^\[5/)
        const untouched =
          "select count(*) as n from orders where tenant = 'umbra' and id between 5 and 8"
        for (const world of worlds) {
          expect(await world.database.rows(untouched)).toEqual(
            world.database.kind === 'postgres' ? [{ n: '4' }] : [{ n: 4 }],
          )
        }
      })
    })
  }
})
