/**
 * Two databases with the same rows, one of which has a CHECK constraint that refuses every write: whether a row fails
 * the check of a permission must give the same result in both, once for the stored row and once for the proposed one.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases, type OpenDatabase, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { type Claims, mine, permissionGateway } from '../support/permission-world.ts'
import { secret } from '../support/tokens.ts'

const columns =
  "id integer primary key, customer_id integer, tenant text not null default 'acme', status text default 'new', total integer not null default 0, code varchar(20) unique, notes text"

const rows = `
insert into customers values (1, 'acme', 1), (2, 'acme', 3), (3, 'umbra', 2);
insert into orders (id, customer_id, tenant, status, total, code, notes) values
  (1, 1, 'acme', 'new', 10, 'A1', 'x'), (2, 1, 'acme', 'paid', 20, 'A2', null), (3, 2, 'acme', 'paid', 30, null, 'y'),
  (4, null, 'acme', null, 40, 'A4', 'z'), (5, 3, 'umbra', 'new', 50, 'U5', 'x'), (6, 3, 'umbra', 'paid', 60, null, null);`

const tables = (constraint: string) => `
create table customers (id integer primary key, tenant text not null, level integer);
create table orders (${columns}${constraint});`

const never =
  ', constraint never check (id is null and tenant is null and status is null and total is null and customer_id is null and code is null and notes is null)'

/** Only the rows that are there satisfy it: on MySQL all of them have to. */
const onlyThese = `, constraint never check (concat_ws('|', id, coalesce(customer_id, 0), tenant, coalesce(status, '-'), total,
  coalesce(code, '-'), coalesce(notes, '-')) in ('1|1|acme|new|10|A1|x', '2|1|acme|paid|20|A2|-', '3|2|acme|paid|30|-|y',
  '4|0|acme|-|40|A4|z', '5|3|umbra|new|50|U5|x', '6|3|umbra|paid|60|-|-'))`

/** A database whose rows violated the constraint before it was added. */
function refusing(kind: TestDatabase['kind'], vendor?: string): string {
  if (vendor === 'mysql') return `${tables(onlyThese)} ${rows}`
  switch (kind) {
    case 'postgres':
      return `${tables('')} ${rows} alter table orders add ${never.slice(2)} not valid;`
    case 'mysql':
      return `set check_constraint_checks = 0; ${tables(never)} ${rows}`
    case 'sqlite':
      return `pragma ignore_check_constraints = on; ${tables(never)} ${rows}`
  }
}

const table = 'main.orders'
const roles = ['clerk']
const read = { table, roles, select: { where: mine } }
const masked = {
  table,
  roles,
  select: { columns: ['id', 'tenant', 'status', 'customer_id', 'code'], where: mine },
}
const cells = { table, roles, select: { columns: ['total', 'notes'], where: { status: 'paid' } } }

const policies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  plain: { read, p: { table, roles, insert: { check: mine }, update: { where: mine } } },
  'several conditions': {
    read,
    p: {
      table,
      roles,
      insert: { check: { ...mine, $or: [{ status: 'new' }, { total: { $gt: 5 } }] } },
      update: { check: { $not: { status: 'void' }, total: { $between: [0, 100] } } },
    },
  },
  relations: {
    read,
    p: {
      table,
      roles,
      insert: {
        check: {
          $exists: {
            table: 'main.customers',
            where: { id: { $outer: 'customer_id' }, tenant: '$user.tenant' },
          },
        },
      },
      update: {
        where: mine,
        check: {
          $exists: {
            table: 'main.customers',
            where: { id: { $outer: 'customer_id' }, level: { $lt: 3 } },
          },
        },
      },
    },
  },
  'rows that must not be there': {
    read,
    p: {
      table,
      roles,
      insert: {
        check: {
          $not: { $exists: { table: 'main.customers', where: { id: { $outer: 'total' } } } },
        },
      },
      update: { check: { total: { $gte: 15 } } },
    },
  },
  presets: {
    read,
    p: {
      table,
      roles,
      insert: {
        columns: ['id', 'customer_id', 'status', 'total', 'code', 'notes'],
        preset: { tenant: '$user.tenant' },
        check: { status: { $in: ['new', 'paid'] } },
      },
      update: {
        columns: ['customer_id', 'status', 'total', 'code', 'notes', 'id'],
        preset: { notes: 'preset' },
        check: { notes: 'preset', total: { $lt: 45 } },
      },
    },
  },
  'masked cells': {
    masked,
    cells,
    p: {
      table,
      roles,
      insert: { check: { total: { $gt: 0 } } },
      update: { check: { total: { $gt: 0 } } },
    },
  },
  'several permissions': {
    read,
    a: {
      table,
      roles,
      insert: { check: { status: 'new' } },
      update: { where: { status: 'new' }, check: { total: { $lt: 25 } } },
    },
    b: {
      table,
      roles,
      insert: { check: { total: { $gt: 15 } } },
      update: { where: { status: 'paid' }, check: { total: { $gt: 25 } } },
    },
  },
  restricted: {
    read,
    p: { table, roles, restrict: { total: { $ne: 20 } }, insert: {}, update: {} },
  },
}

const statements: readonly string[] = [
  "insert into main.orders (id, customer_id, status, total) values (20, 1, 'new', 10)",
  "insert into main.orders (id, customer_id, status, total) values (20, 3, 'paid', 20)",
  "insert into main.orders (id, customer_id, status, total) values (20, 1, 'void', 0), (21, 2, 'paid', 30)",
  'insert into main.orders (id) values (20)',
  "insert into main.orders (id, status, total) values (20, default, 16), (21, 'paid', default), (22, null, 30)",
  'insert into main.orders (id, customer_id, status) select id + 20, customer_id, status from main.orders where id < 4',
  'insert into main.orders (id, total) select id + 20, total - 15 from main.orders',
  'with q as (select id + 20 as id, total from main.orders where total > 15) insert into main.orders (id, total) select id, total from q',
  "update main.orders set status = 'paid'",
  "update main.orders set status = 'void' where id = 1",
  'update main.orders set total = total + 10 where total > 15',
  'update main.orders set total = total - 30 where id in (1, 2, 3)',
  'update main.orders set total = 100 - total, status = case when id = 1 then status else notes end',
  'update main.orders set total = 1000 / total where total <> 0',
  'update main.orders set customer_id = 3 where id = 1',
  'update main.orders set customer_id = customer_id + 1 where id = 1 or id = 3',
  'update main.orders set total = (select max(o.total) - 10 from main.orders o) where id = 2',
  'update main.orders o set total = p.total from main.orders p where p.id = o.id + 1',
  "update main.orders set status = default, total = default where status = 'paid'",
  'update main.orders set id = id + 100, total = 26 where id = 1 returning id',
  'update main.orders set total = 5 where false',
  "update main.orders set status = 'new' where notes is null",
  'insert into main.orders (id, customer_id, total) values (1, 1, 12) on conflict (id) do update set total = excluded.total',
  'insert into main.orders (id, customer_id, total) values (1, 2, 30), (2, 1, 5), (5, 1, 1) on conflict (id) do update set total = orders.total + excluded.total',
  "insert into main.orders (id, status, total) values (2, 'new', 28), (20, 'new', 16) on conflict (id) do update set status = excluded.status where orders.total > 15",
  "insert into main.orders (id, code, total) values (20, 'A1', 16) on conflict (code) do update set total = excluded.total, status = 'paid'",
  "insert into main.orders (id, status, total) values (1, 'void', 0), (20, 'new', 16) on conflict do nothing",
  "insert into main.orders (id, status, total) values (1, 'void', 0) on conflict (id) do nothing",
  'insert into main.orders (id, total) select id, total + 5 from main.orders on conflict (id) do update set total = excluded.total',
]

const claims: Claims = { roles: ['clerk'], tenant: 'acme' }
const failed = 'The row violates the check of the permission.'

describeDatabases(
  'a refused write and a stored one are judged alike',
  (open: OpenDatabase, kind, vendor) => {
    let plain: TestDatabase
    let broken: TestDatabase
    beforeAll(async () => {
      plain = await open(tables('') + rows)
      broken = await open(refusing(kind, vendor))
    })
    afterAll(async () => {
      await plain?.remove()
      await broken?.remove()
    })

    const seen = { stored: 0, failed: 0 }

    async function verdict(gateway: TestGateway, sql: string): Promise<string> {
      const { status, body } = await permissionGateway(gateway).ask(claims, sql)
      const { message } = body as { readonly message?: unknown }
      return status === 200 ? 'stored' : `${status} ${message}`
    }

    describe.each(Object.entries(policies))('%s', (_, permissions) => {
      let gateways: readonly TestGateway[] = []
      beforeAll(async () => {
        gateways = await Promise.all(
          [plain, broken].map(({ url }) =>
            openGateway(
              {
                connections: { main: url },
                auth: { secret },
                permissions: permissions as Record<string, never>,
              },
              { isDevelopment: false },
            ),
          ),
        )
      })
      afterAll(async () => {
        for (const gateway of gateways) await gateway.close()
      })

      test.each(statements)('%s', async (sql) => {
        const [first, second] = gateways
        if (first === undefined || second === undefined) throw new Error('no gateway')
        const stored = await verdict(first, sql)
        if (stored === 'stored')
          await plain.run(`delete from orders; delete from customers; ${rows}`)
        const proposed = await verdict(second, sql)
        if (stored === 'stored' && proposed !== 'stored') seen.stored += 1
        if (stored === `422 ${failed}`) seen.failed += 1
        const isFailed = stored === `422 ${failed}`
        expect([stored, proposed === `422 ${failed}`]).toEqual([stored, isFailed])
        expect(await broken.rows('select count(*) as n from orders')).toEqual(
          await plain.rows('select count(*) as n from orders'),
        )
      })
    })

    test('and both happened often enough', () => {
      expect(seen.stored).toBeGreaterThan(100)
      expect(seen.failed).toBeGreaterThan(40)
    })
  },
)
