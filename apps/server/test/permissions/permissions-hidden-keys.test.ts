import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'

const refused = [422, 'VALIDATION_ERROR'] as const

describeDatabases('what hidden rows must not be told by', (open) => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open)
    gateway = await world.open({
      orders: {
        table: 'main.orders',
        roles: ['clerk'],
        select: { where: mine },
        insert: { columns: ['id', 'customer_id', 'tenant', 'code'], check: mine },
        update: { columns: ['code', 'total'], where: mine },
      },
      customers: { table: 'main.customers', roles: ['clerk'], select: {} },
      feedback: { table: 'main.feedback', roles: ['clerk'], select: { where: mine } },
      tags: { table: 'main.tags', roles: ['clerk'], select: {} },
    })
  })
  beforeEach(async () => {
    await world.reset()
  })
  afterAll(async () => {
    await world?.close()
  })

  describe('ON CONFLICT, by a row that may not be stored', () => {
    // Key 8 belongs to a row of another tenant, 99 is free.
    const rows = (id: number) =>
      `insert into main.orders (id, customer_id, tenant) values (${id}, 3, 'umbra')`
    test.each([
      'on conflict do nothing',
      'on conflict (id) do nothing',
      'on conflict (id) do nothing returning id',
      "on conflict (id) do update set code = 'x'",
      'on conflict (id) do update set code = excluded.code where false',
    ])('%s', async (clause) => {
      for (const id of [8, 99]) {
        expect(await gateway.refusal(acme, `${rows(id)} ${clause}`)).toEqual(refused)
      }
    })

    test('several rows, and rows of a query', async () => {
      for (const id of [8, 99]) {
        const several = `insert into main.orders (id, customer_id, tenant)
          values (50, 1, 'acme'), (${id}, 3, 'umbra') on conflict do nothing`
        expect(await gateway.refusal(acme, several)).toEqual(refused)
        const query = `insert into main.orders (id, customer_id, tenant)
          select ${id}, c.id, 'umbra' from main.customers c where c.id = 3 on conflict do nothing`
        expect(await gateway.refusal(acme, query)).toEqual(refused)
      }
      const stored = await world.database.rows('select id from orders where id in (50, 99)')
      expect(stored).toEqual([])
    })

    test('a row that may be stored is stored, or skipped where a hidden one is in its place', async () => {
      const insert = (id: number) =>
        `insert into main.orders (id, customer_id, tenant) values (${id}, 1, 'acme') on conflict (id) do nothing returning id`
      expect(await gateway.rows(acme, insert(99))).toEqual([[99]])
      expect(await gateway.rows(acme, insert(8))).toEqual([])
      expect(await gateway.rows(acme, insert(1))).toEqual([])
    })
  })

  describe('a condition on a table that a join makes equal to another', () => {
    // There is no tag 77. MariaDB may replace t.id by f.level, which a hidden row has.
    test.each([
      'select f.id from main.feedback f join main.tags t on t.id = f.level where 10 / (t.id - 77) is not null',
      `with d as (select level from main.feedback)
        select t.id from main.tags t join d on d.level = t.id where 10 / (t.id - 77) is not null`,
      `select t.id from main.tags t, main.tags u, main.feedback f
        where t.id = u.id and u.id = f.level and 10 / (t.id - 77) is not null`,
      'select t.id from main.tags t join main.feedback f on t.id in (f.level) and 10 / (t.id - 77) is not null',
      `select t.id from main.tags t join main.feedback f on (t.id, t.id) = (f.level, f.level)
        where case when t.id = 77 then 10 / (t.id - 77) else 1 end = 1`,
    ])('%s', async (sql) => {
      const without = await gateway.ask(acme, sql)
      await world.database.run("insert into feedback values (3, 'CANARY', 'umbra', 77)")
      const hidden = await gateway.ask(acme, sql)

      expect(without.status).toBe(200)
      expect([hidden.status, hidden.body]).toEqual([without.status, without.body])
    })
  })
})
