import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
  umbra,
} from '../support/permission-world.ts'

describeDatabases('what a caller sees', (open) => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createWorld(open)
  })
  afterAll(async () => {
    await world?.close()
  })

  describe('rows of one permission', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        orders: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { columns: ['id', 'customer_id', 'status', 'total'], where: mine },
        },
        customers: { table: 'main.customers', roles: ['clerk'], select: { where: mine } },
        lines: { table: 'main.order_lines', roles: ['clerk'], select: { where: { order: mine } } },
      })
    })

    test.each([
      ['a list', 'select id from main.orders order by id', [[1], [2], [3], [4]]],
      ['a star', 'select * from main.orders where id = 1', [[1, 1, 'new', 10]]],
      ['a count', 'select count(*) from main.orders', [['4']]],
      ['a sum', 'select sum(total) from main.orders', [['100']]],
      [
        'groups',
        'select status, count(*) from main.orders group by status order by status',
        [
          ['new', '1'],
          ['paid', '2'],
          ['shipped', '1'],
        ],
      ],
      ['the key of a hidden row', 'select id from main.orders where id = 5', []],
      ['EXISTS', 'select exists (select from main.orders where id = 5)', [[false]]],
      ['NOT EXISTS', 'select not exists (select from main.orders where id = 5)', [[true]]],
      [
        'IN',
        'select 5 in (select id from main.orders), 1 in (select id from main.orders)',
        [[false, true]],
      ],
      ['a subquery', 'select (select max(id) from main.orders)', [[4]]],
      [
        'an inner join',
        'select o.id, c.name from main.orders o join main.customers c on c.id = o.customer_id order by o.id',
        [
          [1, 'Ada'],
          [2, 'Ada'],
          [3, 'Bob'],
          [4, 'Bob'],
        ],
      ],
      [
        'a left join',
        'select c.id, count(l.product) from main.customers c left join main.orders o on o.customer_id = c.id left join main.order_lines l on l.order_id = o.id group by c.id order by c.id',
        [
          [1, '3'],
          [2, '1'],
        ],
      ],
      [
        'a full join',
        'select a.id, b.id from main.orders a full join main.orders b on a.id = b.id + 4 order by a.id, b.id',
        [
          [1, null],
          [2, null],
          [3, null],
          [4, null],
          [null, 1],
          [null, 2],
          [null, 3],
          [null, 4],
        ],
      ],
      ['a cross join', 'select count(*) from main.orders, main.customers', [['8']]],
      ['NATURAL', 'select count(*) from main.orders natural join main.customers', [['2']]],
      ['USING', 'select count(*) from main.orders join main.customers using (id)', [['2']]],
      [
        'LATERAL',
        'select c.id, q.id from main.customers c, lateral (select o.id from main.orders o where o.customer_id = c.id order by o.id limit 1) q order by c.id',
        [
          [1, 1],
          [2, 3],
        ],
      ],
      ['WITH', 'with q as (select id from main.orders) select count(*) from q', [['4']]],
      [
        'WITH RECURSIVE',
        'with recursive q(x) as (select min(id) from main.orders union select o.id from q join main.orders o on o.id = q.x + 1) select count(*) from q',
        [['4']],
      ],
      [
        'UNION',
        'select id from main.orders union select id from main.customers order by 1',
        [[1], [2], [3], [4]],
      ],
      [
        'EXCEPT',
        'select id from main.orders except select id from main.customers order by 1',
        [[3], [4]],
      ],
      ['windows', 'select id, count(*) over () from main.orders order by id limit 1', [[1, '4']]],
      ['DISTINCT', 'select count(distinct status) from main.orders', [['3']]],
      ['OFFSET', 'select id from main.orders order by id offset 3', [[4]]],
      [
        'a whole row',
        'select to_json(o) from main.orders o where id = 1',
        [[{ id: 1, customer_id: 1, status: 'new', total: 10 }]],
      ],
      ['names by position', 'select a, d from main.orders as o(a, b, c, d) where a = 2', [[2, 20]]],
      ['a relation filter', 'select count(*) from main.order_lines', [['4']]],
      ['TABLE', 'table main.orders order by id limit 1', [[1, 1, 'new', 10]]],
      ['VALUES', 'values ((select count(*) from main.orders))', [['4']]],
    ])('%s', async (_, sql, expected) => {
      expect(await gateway.rows(acme, sql)).toEqual(expected)
    })

    test('rows of one permission are those of each caller', async () => {
      const sql = 'select id from main.orders order by id'
      expect(await gateway.rows(umbra, sql)).toEqual([[5], [6], [7], [8]])
      expect(await gateway.rows(acme, sql)).toEqual([[1], [2], [3], [4]])
      expect(await gateway.rows({ ...acme, tenant: 'nobody' }, sql)).toEqual([])
    })
  })

  describe('rows and cells of several permissions', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        own: { table: 'main.orders', roles: ['clerk'], select: { where: mine } },
        listed: {
          table: 'main.orders',
          roles: ['reader'],
          select: { columns: ['id', 'status'], where: { status: 'paid' } },
        },
        priced: {
          table: 'main.orders',
          roles: ['reader'],
          select: { columns: ['id', 'total'], where: { total: { $gt: 25 } } },
        },
      })
    })
    const both = { ...acme, roles: ['clerk', 'reader'] }
    const reader = { roles: ['reader'] }

    test('rows add up', async () => {
      const sql = 'select id from main.orders order by id'
      expect(await gateway.rows(both, sql)).toEqual([[1], [2], [3], [4], [6], [7]])
      expect(await gateway.rows(reader, sql)).toEqual([[2], [3], [4], [6], [7]])
    })
    test('a cell needs one permission for its row and its column', async () => {
      expect(
        await gateway.rows(both, 'select id, status, total, notes from main.orders order by id'),
      ).toEqual([
        [1, 'new', 10, 'first'],
        [2, 'paid', 20, 'second 100%'],
        [3, 'paid', 30, 'Third'],
        [4, 'shipped', 40, null],
        [6, 'paid', null, null],
        [7, 'paid', 2000000000, null],
      ])
      expect(await gateway.rows(reader, 'select * from main.orders order by id')).toEqual([
        [2, 'paid', null],
        [3, 'paid', 30],
        [4, null, 40],
        [6, 'paid', null],
        [7, 'paid', 2000000000],
      ])
    })
    test.each([
      ['WHERE', "select id from main.orders where status = 'shipped'", []],
      ['IS NULL', 'select id from main.orders where total is null order by id', [[2], [6]]],
      [
        'ORDER BY',
        'select id from main.orders order by status nulls first, total nulls first, id',
        [[4], [2], [6], [3], [7]],
      ],
      [
        'GROUP BY',
        'select status, count(*), count(total) from main.orders group by status order by status',
        [
          ['paid', '4', '2'],
          [null, '1', '1'],
        ],
      ],
      [
        'aggregates',
        'select sum(total), count(status), max(status) from main.orders',
        [['2000000070', '4', 'paid']],
      ],
      [
        'joins',
        'select a.id, b.id from main.orders a join main.orders b on a.total = b.total - 10',
        [[3, 4]],
      ],
      [
        'USING',
        'select a.id from main.orders a join main.orders b using (total, status) order by 1',
        [[3], [7]],
      ],
      ['functions', "select id from main.orders where coalesce(status, '?') = '?'", [[4]]],
      [
        'windows',
        'select id, rank() over (order by total nulls first) from main.orders order by id limit 2',
        [
          [2, '1'],
          [3, '3'],
        ],
      ],
      [
        'derived tables',
        'select t from (select id, total as t from main.orders) q where t is null order by 1',
        [[null], [null]],
      ],
      ['subqueries', 'select (select count(*) from main.orders where total is null)', [['2']]],
      [
        'JSON',
        'select to_json(o) from main.orders o where id = 2',
        [[{ id: 2, status: 'paid', total: null }]],
      ],
    ])('%s see the same cells', async (_, sql, expected) => {
      expect(await gateway.rows(reader, sql)).toEqual(expected)
    })
  })

  describe('restrict, limit and aggregate', () => {
    test('restrict narrows what permissions add up to', async () => {
      const gateway = await world.open({
        all: { table: 'main.orders', roles: ['clerk'], select: {} },
        tenant: { table: 'main.orders', roles: ['*'], restrict: mine, delete: {} },
        cap: {
          table: 'main.orders',
          roles: ['junior'],
          restrict: { total: { $lt: 25 } },
          select: {},
        },
      })
      const sql = 'select id from main.orders order by id'
      expect(await gateway.rows(acme, sql)).toEqual([[1], [2], [3], [4]])
      expect(await gateway.rows({ ...acme, roles: ['clerk', 'junior'] }, sql)).toEqual([[1], [2]])
      expect(await gateway.rows({ roles: ['clerk'] }, sql)).toEqual([])
    })
    test('limit caps an answer, whatever it asks for', async () => {
      const gateway = await world.open({
        orders: { table: 'main.orders', roles: ['clerk'], select: { limit: 2 } },
        tags: { table: 'main.tags', roles: ['clerk'], select: {} },
      })
      for (const [sql, count] of [
        ['select id from main.orders', 2],
        ['select id from main.orders limit 7', 2],
        ['select id from main.orders limit 1', 1],
        ['select id from main.orders limit null', 2],
        ['select 1 from main.tags, main.orders', 2],
        ['select id from main.orders union all select id from main.tags', 2],
        ['select id from main.tags', 2],
      ] as const) {
        expect(await gateway.rows(acme, sql)).toHaveLength(count)
      }
      expect(await gateway.rows(acme, 'select id from main.orders limit $1', [7])).toHaveLength(2)
      expect(await gateway.rows(acme, 'select id from main.orders limit $1', [null])).toHaveLength(
        2,
      )
      expect(
        await gateway.refusal(
          acme,
          'select id from main.orders order by tenant fetch first 1 row with ties',
        ),
      ).toEqual([400, 'BAD_REQUEST'])
    })
    test('aggregate: false leaves no way to count', async () => {
      const gateway = await world.open({
        orders: { table: 'main.orders', roles: ['clerk'], select: { aggregate: false } },
      })
      for (const sql of [
        'select count(*) from main.orders',
        'select sum(total) over () from main.orders',
        'select status from main.orders group by status',
        'select array(select id from main.orders)',
        'select (select max(id) from main.orders)',
      ]) {
        expect(await gateway.refusal(acme, sql)).toEqual([403, 'PERMISSION_DENIED'])
      }
      expect(await gateway.rows(acme, 'select id from main.orders')).toHaveLength(8)
    })
  })

  test('columns stay hidden that are added after the start', async () => {
    const gateway = await world.open({
      all: { table: 'main.tags', roles: ['clerk'], select: { columns: '*' } },
    })
    await world.database.run("alter table tags add column secret text default 'CANARY'")
    await gateway.gateway.engine.refreshCatalog()
    expect(await gateway.rows(acme, 'select * from main.tags where id = 1')).toEqual([[1, 'vip']])
    expect(await gateway.refusal(acme, 'select secret from main.tags')).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
  })
})
