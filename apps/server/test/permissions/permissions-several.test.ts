import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  type Claims,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'

const denied = [403, 'PERMISSION_DENIED']
const refused = [422, 'VALIDATION_ERROR']

describeDatabases('several permissions for one table', (open) => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createWorld(open, 'create view shipped as select id, tenant from orders;')
  })
  beforeEach(() => world.reset())
  afterAll(() => world?.close())

  async function statuses(): Promise<unknown> {
    const rows = await world.database.rows('select id, status from orders order by id')
    return Object.fromEntries(rows.map((row) => Object.values(row)))
  }

  describe('an upsert', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        read: { table: 'main.orders', roles: ['clerk'], select: { where: mine } },
        add: { table: 'main.orders', roles: ['clerk'], insert: { check: mine } },
        pay: {
          table: 'main.orders',
          roles: ['clerk'],
          update: { where: { status: 'new' }, check: { status: 'paid' } },
        },
        ship: {
          table: 'main.orders',
          roles: ['clerk'],
          update: { where: { status: 'paid' }, check: { status: { $in: ['shipped', 'paid'] } } },
        },
      })
    })
    const upsert = (id: number, status: string, set = 'status = excluded.status') =>
      `insert into main.orders (id, customer_id, tenant, status) values (${id}, 1, 'acme', '${status}')
        on conflict (id) do update set ${set} returning id`

    test('an upsert needs one permission for the row before and the row after', async () => {
      // 1 is new, 2 and 3 are paid, 4 is shipped, 5 is not visible.
      expect(await gateway.rows(acme, upsert(1, 'paid'))).toEqual([[1]])
      expect(await gateway.rows(acme, upsert(2, 'shipped'))).toEqual([[2]])
      expect(await statuses()).toMatchObject({ 1: 'paid', 2: 'shipped' })
    })
    test('an upsert does not take one half from each', async () => {
      expect(await gateway.refusal(acme, upsert(1, 'shipped'))).toEqual(refused)
      expect(await gateway.refusal(acme, upsert(1, 'other'))).toEqual(refused)
      expect(await gateway.refusal(acme, upsert(3, 'new'))).toEqual(refused)
      expect(await statuses()).toMatchObject({ 1: 'new', 3: 'paid' })
    })
    test('judges every row by its own permission', async () => {
      const many = (a: string, b: string) =>
        `insert into main.orders (id, customer_id, tenant, status) values
          (1, 1, 'acme', '${a}'), (2, 1, 'acme', '${b}'), (20, 1, 'acme', 'paid')
          on conflict (id) do update set status = excluded.status`
      expect(await gateway.refusal(acme, many('shipped', 'shipped'))).toEqual(refused)
      expect(await gateway.refusal(acme, many('paid', 'new'))).toEqual(refused)
      expect(await gateway.rows(acme, many('paid', 'shipped'))).toEqual([])
      expect(await statuses()).toMatchObject({ 1: 'paid', 2: 'shipped', 20: 'paid' })
    })
    test('inserts what some permission to update would let stand', async () => {
      expect(await gateway.rows(acme, upsert(20, 'shipped'))).toEqual([[20]])
      expect(await gateway.refusal(acme, upsert(21, 'other'))).toEqual(refused)
    })
    test('skips rows that no permission covers', async () => {
      expect(await gateway.rows(acme, upsert(4, 'paid'))).toEqual([])
      expect(await gateway.rows(acme, upsert(5, 'paid'))).toEqual([])
      expect(await statuses()).toMatchObject({ 4: 'shipped', 5: 'new' })
    })
    test('of a query', async () => {
      const copy = (shift: number) =>
        `insert into main.orders (id, customer_id, tenant, status)
          select o.id + ${shift}, 1, 'acme', 'shipped' from main.orders o where o.id < 3
          on conflict (id) do update set status = excluded.status`
      // 1 and 2 become 2 and 3, which are paid.
      expect(await gateway.rows(acme, copy(1))).toEqual([])
      expect(await statuses()).toMatchObject({ 1: 'new', 2: 'shipped', 3: 'shipped' })
      expect(await gateway.refusal(acme, copy(0))).toEqual(refused)
    })
    test('an upsert that changes its own key is refused', async () => {
      const answer = await gateway.refusal(acme, upsert(1, 'paid', "status = 'paid', id = 30"))
      // MySQL and MariaDB change it, if no row refers to it.
      const isChanged = world.database.kind === 'mysql'
      expect(answer).toEqual(isChanged ? [409, 'CONFLICT'] : [400, 'BAD_REQUEST'])
    })
    test('whose key is taken elsewhere is judged by its rows', async () => {
      // The customer does not exist, or belongs to another tenant: both get only the error of the check.
      const foreign = (status: string) =>
        upsert(1, status, 'status = excluded.status, customer_id = 99')
      expect(await gateway.refusal(acme, foreign('shipped'))).toEqual(refused)
      expect(await gateway.refusal(acme, foreign('paid'))).toEqual([409, 'CONFLICT'])
    })
  })

  describe('callers with several roles', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        own: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { where: mine },
          update: { columns: ['status'], where: mine },
        },
        list: {
          table: 'main.orders',
          roles: ['auditor'],
          select: { columns: ['id', 'status'], limit: 3, aggregate: false },
          delete: { where: { status: 'shipped' } },
        },
        everyone: { table: 'main.tags', roles: ['*'], select: {} },
      })
    })
    const both: Claims = { ...acme, roles: ['clerk', 'auditor'] }

    test('callers with several roles have the rights of both, and cells where one grants row and column', async () => {
      const sql = 'select id, total from main.orders where id in (1, 5) order by id'
      expect(await gateway.rows(both, sql)).toEqual([
        [1, 10],
        [5, null],
      ])
      expect(await gateway.refusal({ roles: ['auditor'] }, sql)).toEqual(denied)
      expect(await gateway.rows(acme, sql)).toEqual([[1, 10]])
      expect(
        await gateway.rows(both, 'delete from main.orders where id in (1, 8) returning id'),
      ).toEqual([[8]])
      expect(await gateway.refusal(acme, 'delete from main.orders where id = 8')).toEqual(denied)
    })
    test('`role` and `roles` are united', async () => {
      const claims: Claims = { role: 'auditor', roles: ['clerk'], tenant: 'acme' }
      expect(await gateway.rows(claims, 'select count(*) from main.orders')).toEqual([['8']])
      expect(await gateway.rows(claims, 'select name from main.tags order by id')).toHaveLength(2)
    })
    test('select.limit caps answers, however they are asked for', async () => {
      const auditor: Claims = { roles: ['auditor'] }
      for (const sql of [
        'select id from main.orders',
        'select id from main.orders limit 100',
        'select id from main.orders limit all',
        'select o.id from main.orders o join main.orders p on p.id = o.id',
        'select id from main.orders union all select id from main.orders',
        'with q as (select id from main.orders) select id from q',
        'select t.id from main.tags t, main.orders o',
        'select * from (select id from main.orders limit 50) q',
      ]) {
        expect((await gateway.rows(auditor, sql)) as unknown[]).toHaveLength(3)
      }
      expect(await gateway.rows(auditor, 'select id from main.orders limit 2')).toHaveLength(2)
      expect(await gateway.rows(auditor, 'select id from main.orders limit $1', [50])).toHaveLength(
        3,
      )
      expect(
        await gateway.rows(auditor, 'select id from main.orders limit $1', [null]),
      ).toHaveLength(3)
      // The clerk's permission has no limit: the highest limit counts.
      expect(await gateway.rows(both, 'select id from main.orders')).toHaveLength(8)
    })
    test('select.aggregate: false forbids what makes one value of many rows', async () => {
      const auditor: Claims = { roles: ['auditor'] }
      for (const sql of [
        'select count(*) from main.orders',
        'select status from main.orders group by status',
        'select id, row_number() over () from main.orders',
        'select array(select id from main.orders)',
        'select 1 from main.tags where id = (select max(id) from main.orders)',
        'select (select count(*) from main.tags) from main.orders',
      ]) {
        expect(await gateway.refusal(auditor, sql)).toEqual(denied)
      }
      expect(await gateway.rows(auditor, 'select count(*) from main.tags')).toEqual([['2']])
      expect(await gateway.rows(both, 'select count(*) from main.orders')).toEqual([['8']])
    })
  })

  describe('restrict', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        all: {
          table: 'main.orders',
          roles: ['clerk'],
          select: {},
          insert: {},
          update: {},
          delete: {},
        },
        fence: {
          table: 'main.orders',
          roles: ['clerk'],
          restrict: { tenant: '$user.tenant' },
          select: { columns: ['id'], where: { id: -1 } },
        },
        details: { table: 'main.order_tags', roles: ['clerk'], select: {}, delete: {} },
        lines: { table: 'main.order_lines', roles: ['clerk'], select: {} },
      })
    })

    test('narrows reads', async () => {
      expect(await gateway.rows(acme, 'select id from main.orders order by id')).toEqual([
        [1],
        [2],
        [3],
        [4],
      ])
      expect(await gateway.rows(acme, 'select count(*) from main.orders where id = 5')).toEqual([
        ['0'],
      ])
      expect(await gateway.rows({ roles: ['clerk'] }, 'select id from main.orders')).toEqual([])
    })
    test('narrows the rows of UPDATE, DELETE and FOR UPDATE', async () => {
      expect(
        await gateway.rows(
          acme,
          "update main.orders set status = 'x' where id in (4, 5) returning id",
        ),
      ).toEqual([[4]])
      expect(await gateway.rows(acme, 'delete from main.order_tags')).toEqual([])
      await world.database.run('delete from order_lines')
      expect(
        await gateway.rows(acme, 'delete from main.orders where id in (4, 5) returning id'),
      ).toEqual([[4]])
      expect(await statuses()).toMatchObject({ 5: 'new' })
    })
    test('restrict holds for what is stored', async () => {
      const insert = (tenant: string) =>
        `insert into main.orders (id, customer_id, tenant) values (20, 1, '${tenant}')`
      expect(await gateway.refusal(acme, insert('umbra'))).toEqual(refused)
      expect(
        await gateway.refusal(acme, "update main.orders set tenant = 'umbra' where id = 1"),
      ).toEqual(refused)
      expect(await gateway.rows(acme, insert('acme'))).toEqual([])
      expect(await gateway.refusal({ roles: ['clerk'] }, insert('acme'))).toEqual(denied)
    })
    test('restrict holds for both arms of an upsert', async () => {
      const upsert = (id: number, tenant: string, set: string) =>
        `insert into main.orders (id, customer_id, tenant) values (${id}, 1, '${tenant}')
          on conflict (id) do update set ${set} returning id`
      expect(await gateway.rows(acme, upsert(5, 'acme', "status = 'x'"))).toEqual([])
      expect(await gateway.refusal(acme, upsert(1, 'acme', "tenant = 'umbra'"))).toEqual(refused)
      expect(await gateway.refusal(acme, upsert(20, 'umbra', "status = 'x'"))).toEqual(refused)
      expect(await statuses()).toMatchObject({ 1: 'new', 5: 'new' })
    })
  })

  describe('rights that are not granted', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open(
        {
          orders: {
            table: 'main.orders',
            roles: ['clerk'],
            select: { columns: ['id', 'status'], where: mine },
          },
          feedback: {
            table: 'main.feedback',
            roles: ['clerk'],
            select: { columns: ['id', 'body'] },
            insert: { columns: ['id', 'body'] },
          },
        },
        { isDevelopment: false },
      )
    })

    test('is refused the same way, with and without a list of columns', async () => {
      for (const sql of [
        "insert into main.orders values (9, 1, 'acme', 'new', 1, 'x', 'y', null)",
        'insert into main.orders default values',
        'insert into main.orders select 1',
        'insert into main.orders (id) values (9)',
        'insert into main.tags values (9)',
        'insert into main.shipped values (9)',
        'insert into main.shipped (id) values (9)',
        'update main.shipped set id = 9',
        'delete from main.shipped',
        "update main.orders set status = 'x'",
        'select id from main.shipped',
      ]) {
        expect([sql, ...(await gateway.refusal(acme, sql))]).toEqual([sql, ...denied])
      }
    })
    test('a list of columns is needed where some are not granted', async () => {
      expect(await gateway.refusal(acme, "insert into main.feedback values (9, 'x')")).toEqual([
        400,
        'BAD_REQUEST',
      ])
      expect(
        await gateway.rows(acme, "insert into main.feedback (id, body) values (9, 'x')"),
      ).toEqual([])
    })
  })

  describe('whole rows', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        ids: { table: 'main.orders', roles: ['clerk'], select: { columns: ['id'] } },
        own: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { columns: ['id', 'status'], where: mine },
        },
      })
    })

    test('whole rows have the cells that a star has', async () => {
      const rows = [
        [1, 'new'],
        [5, null],
      ]
      const objects = rows.map(([id, status]) => ({ id, status }))
      expect(
        await gateway.rows(acme, 'select * from main.orders where id in (1, 5) order by id'),
      ).toEqual(rows)
      for (const row of ['o', 'o.*']) {
        const sql = `select json_agg(${row} order by o.id), count(${row}) from main.orders o where id in (1, 5)`
        expect(await gateway.rows(acme, sql)).toEqual([[objects, '2']])
      }
    })

    test('whole rows are compared by the cells that a star has', async () => {
      if (world.database.kind !== 'postgres') return
      const sql = `select json_agg(distinct o), count(distinct o) from main.orders o where id in (1, 5)`
      expect(await gateway.rows(acme, sql)).toEqual([
        [
          [
            { id: 1, status: 'new' },
            { id: 5, status: null },
          ],
          '2',
        ],
      ])
      const narrow = 'select count(distinct x) from (select status from main.orders where id > 4) x'
      expect(await gateway.rows(acme, narrow)).toEqual([['1']])
    })
  })

  describe('many rows of one INSERT', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        read: { table: 'main.orders', roles: ['clerk'], select: { where: mine } },
        add: {
          table: 'main.orders',
          roles: ['clerk'],
          insert: {
            columns: ['id', 'customer_id', 'status'],
            check: { status: { $ne: 'no' } },
            preset: { tenant: '$user.tenant' },
          },
        },
      })
    })
    const many = (id: (i: number) => number, status: (i: number) => string) => ({
      sql: `insert into main.orders (id, customer_id, status) values ${Array.from({ length: 30 }, (_, i) => `($${3 * i + 1}, $${3 * i + 2}, $${3 * i + 3})`).join(', ')}`,
      params: Array.from({ length: 30 }, (_, i) => [id(i), 1, status(i)]).flat(),
    })

    test('get their presets', async () => {
      const { sql, params } = many(
        (i) => 100 + i,
        () => 'new',
      )
      await gateway.rows(acme, sql, params)
      const stored = 'select distinct tenant from orders where id >= 100'
      expect(await world.database.rows(stored)).toEqual([{ tenant: 'acme' }])
      const count = 'select count(*) from main.orders where id >= 100'
      expect(await gateway.rows(acme, count)).toEqual([['30']])
    })

    test('many rows of one INSERT are each checked, before a taken key is reported', async () => {
      const failing = many(
        (i) => 100 + i,
        (i) => (i === 29 ? 'no' : 'new'),
      )
      expect(await gateway.refusal(acme, failing.sql, failing.params)).toEqual(refused)
      const taken = many(
        (i) => (i === 3 ? 5 : 100 + i),
        (i) => (i === 29 ? 'no' : 'new'),
      )
      expect(await gateway.refusal(acme, taken.sql, taken.params)).toEqual(refused)
      expect(await world.database.rows('select id from orders where id >= 100')).toEqual([])
    })
  })
})
