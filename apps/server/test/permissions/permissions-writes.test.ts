import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'

const denied = [403, 'PERMISSION_DENIED'] as const
const refused = [422, 'VALIDATION_ERROR'] as const

describeDatabases('what a caller writes', (open) => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createWorld(open)
  })
  beforeEach(async () => {
    await world.reset()
  })
  afterAll(async () => {
    await world?.close()
  })

  /** One column of every row of a table, by key, read directly from the database. */
  async function stored(column: string, table = 'orders'): Promise<unknown> {
    const rows = await world.database.rows(`select id, ${column} as v from ${table} order by id`)
    return Object.fromEntries(
      rows.map((row) => [(row as { id: number }).id, (row as { v: unknown }).v]),
    )
  }

  async function count(table: string): Promise<number> {
    const [row] = await world.database.rows(`select cast(count(*) as integer) as n from ${table}`)
    return (row as { n: number }).n
  }

  describe('INSERT', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        orders: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { where: mine },
          insert: { columns: ['id', 'customer_id', 'tenant', 'status'], check: mine },
        },
        feedback: {
          table: 'main.feedback',
          roles: ['clerk'],
          insert: { columns: ['id', 'body', 'level'], preset: { tenant: '$user.tenant' } },
        },
        level: {
          table: 'main.feedback',
          roles: ['strict'],
          insert: { columns: ['id', 'body', 'level'], check: { level: { $lte: 3 } } },
        },
        customers: { table: 'main.customers', roles: ['clerk'], select: { where: mine } },
      })
    })

    test('stores what passes the check', async () => {
      const sql =
        "insert into main.orders (id, customer_id, tenant) values (9, 1, 'acme') returning id, status, total"
      expect(await gateway.rows(acme, sql)).toEqual([[9, 'new', 0]])
      expect(await count('orders')).toBe(9)
    })
    test('refuses what does not, and stores nothing', async () => {
      const sql = "insert into main.orders (id, customer_id, tenant) values (9, 1, 'umbra')"
      expect(await gateway.refusal(acme, sql)).toEqual(refused)
      expect(await gateway.refusal(acme, `${sql} returning id`)).toEqual(refused)
      expect(await count('orders')).toBe(8)
    })
    test('one bad row of many rolls back all of them', async () => {
      const sql =
        "insert into main.orders (id, customer_id, tenant) values (9, 1, 'acme'), (10, 1, 'umbra'), (11, 1, 'acme')"
      expect(await gateway.refusal(acme, sql)).toEqual(refused)
      expect(await count('orders')).toBe(8)
    })
    test('a check that is NULL refuses', async () => {
      const strict = { roles: ['nullable'], tenant: 'acme' }
      const other = await world.open({
        p: {
          table: 'main.orders',
          roles: ['nullable'],
          select: {},
          insert: { check: { notes: { $ne: 'forbidden' } } },
        },
      })
      const insert = (notes: string) =>
        `insert into main.orders (id, customer_id, tenant, notes) values (9, 1, 'acme', ${notes})`
      expect(await other.refusal(strict, insert('null'))).toEqual(refused)
      expect(await other.refusal(strict, insert("'forbidden'"))).toEqual(refused)
      expect(await other.rows(strict, insert("'fine'"))).toEqual([])
    })
    test('the check sees defaults of the database', async () => {
      const strict = { roles: ['strict'] }
      expect(
        await gateway.rows(strict, "insert into main.feedback (id, body) values (3, 'x')"),
      ).toEqual([])
      expect(
        await gateway.refusal(
          strict,
          "insert into main.feedback (id, body, level) values (4, 'x', 4)",
        ),
      ).toEqual(refused)
      expect(await stored('level', 'feedback')).toEqual({ 1: 3, 2: 3, 3: 3 })
    })
    test('presets are stored, and may not be sent', async () => {
      await gateway.rows(acme, "insert into main.feedback (id, body) values (3, 'x'), (4, 'y')")
      await gateway.rows(
        acme,
        'insert into main.feedback (id, body) select id + 5, name from main.customers',
      )
      expect(await stored('tenant', 'feedback')).toEqual({
        1: 'acme',
        2: 'umbra',
        3: 'acme',
        4: 'acme',
        6: 'acme',
        7: 'acme',
      })
      for (const sql of [
        "insert into main.feedback (id, body, tenant) values (8, 'x', 'acme')",
        "insert into main.feedback (id, body, tenant) values (8, 'x', null)",
        "insert into main.feedback (id, body, tenant) select 8, 'x', 'umbra'",
        "insert into main.feedback values (8, 'x', 'umbra')",
      ]) {
        expect((await gateway.refusal(acme, sql))[0]).toBeOneOf([400, 403])
      }
      expect(
        await gateway.refusal(
          { roles: ['clerk'] },
          "insert into main.feedback (id, body) values (8, 'x')",
        ),
      ).toEqual(denied)
    })
    test('without the right to read there is no RETURNING', async () => {
      const sql = "insert into main.feedback (id, body) values (3, 'x') returning"
      for (const output of ['id', '1', '*', 'count(*)']) {
        expect((await gateway.refusal(acme, `${sql} ${output}`))[0]).toBeOneOf([400, 403])
      }
      expect(await count('feedback')).toBe(2)
    })
    test('columns that are not granted cannot be set', async () => {
      const insert = (column: string) =>
        `insert into main.orders (id, customer_id, tenant, ${column}) values (9, 1, 'acme', '1')`
      for (const column of ['total', 'notes', 'code']) {
        expect(await gateway.refusal(acme, insert(column))).toEqual(denied)
      }
      // The caller may read every column: the answer cannot reveal a hidden one.
      expect(await gateway.refusal(acme, insert('nothing'))).toEqual([400, 'BAD_REQUEST'])
    })
    test('from a query, reads through permissions and checks every row', async () => {
      const copy =
        'insert into main.orders (id, customer_id, tenant) select id + 10, customer_id, tenant from main.orders'
      await gateway.rows(acme, copy)
      expect(await stored('tenant')).toMatchObject({ 11: 'acme', 14: 'acme' })
      expect(await count('orders')).toBe(12)
      expect(
        await gateway.refusal(
          acme,
          "insert into main.orders (id, customer_id, tenant) select id + 20, customer_id, case id when 3 then 'umbra' else tenant end from main.orders",
        ),
      ).toEqual(refused)
      expect(await count('orders')).toBe(12)
    })
    test('no insert permission, no INSERT', async () => {
      expect(
        await gateway.refusal(acme, "insert into main.tags (id, name) values (3, 'x')"),
      ).toEqual(denied)
      expect(
        await gateway.refusal(
          acme,
          "insert into main.customers (id, name, tenant) values (9, 'x', 'acme')",
        ),
      ).toEqual(denied)
    })
  })

  describe('UPDATE', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        orders: {
          table: 'main.orders',
          roles: ['clerk'],
          select: {
            columns: ['id', 'customer_id', 'tenant', 'status', 'total', 'notes'],
            where: mine,
          },
          update: {
            columns: ['status', 'total', 'tenant', 'notes', 'id'],
            where: { ...mine, status: { $ne: 'shipped' } },
          },
        },
        customers: { table: 'main.customers', roles: ['clerk'], select: { where: mine } },
      })
    })

    test('touches rows that may be seen and changed, the others silently not', async () => {
      expect(await gateway.rows(acme, 'update main.orders set total = 7')).toEqual([])
      expect(await stored('total')).toEqual({
        1: 7,
        2: 7,
        3: 7,
        4: 40,
        5: 0,
        6: 0,
        7: 2000000000,
        8: -1,
      })
      expect(
        await gateway.rows(
          acme,
          'update main.orders set total = 8 where id in (4, 5) returning id',
        ),
      ).toEqual([])
    })
    test('counts only them', async () => {
      const { body } = await gateway.gateway.data(
        { sql: 'update main.orders set total = 7', params: [], method: 'run', meta: true },
        { authorization: await token() },
      )
      expect(body).toMatchObject({ rows: [], rowCount: 3 })
    })
    test('a row may not leave what the permission covers', async () => {
      for (const sql of [
        "update main.orders set tenant = 'umbra' where id = 1",
        "update main.orders set tenant = 'umbra' where id = 1 returning id",
        "update main.orders set status = 'shipped'",
        "update main.orders set tenant = case id when 2 then 'umbra' else tenant end",
        'update main.orders set status = null where id = 1',
      ]) {
        expect(await gateway.refusal(acme, sql)).toEqual(refused)
      }
      expect(await stored('tenant')).toMatchObject({ 1: 'acme', 2: 'acme', 3: 'acme' })
      expect(await stored('status')).toMatchObject({ 1: 'new', 2: 'paid', 3: 'paid' })
    })
    test('keys may change when they are granted', async () => {
      await world.database.run('delete from order_lines where order_id = 3')
      expect(
        await gateway.rows(
          acme,
          'update main.orders set id = 90, total = total + 1 where id = 4 - 1 returning id, total',
        ),
      ).toEqual([[90, 31]])
    })
    test('reads other tables through permissions', async () => {
      await gateway.rows(
        acme,
        'update main.orders o set notes = c.name from main.customers c where c.id = o.customer_id or c.id > 2',
      )
      expect(await stored('notes')).toMatchObject({ 1: 'Ada', 3: 'Bob', 5: 'CANARY-5' })
      await gateway.rows(acme, 'update main.orders set total = (select count(*) from main.orders)')
      expect(await stored('total')).toMatchObject({ 1: 4, 2: 4, 3: 4 })
    })
    test('columns that are not granted cannot be set', async () => {
      for (const set of [
        "code = 'X'",
        'customer_id = 2',
        "placed = '2024-01-01'",
        "nothing = ''",
      ]) {
        expect(await gateway.refusal(acme, `update main.orders set ${set} where id = 1`)).toEqual(
          denied,
        )
      }
    })
    test('columns that are not readable cannot be read', async () => {
      for (const rest of [
        'set notes = code',
        "set notes = 'x' where code = 'A1'",
        "set notes = 'x' returning code",
      ]) {
        expect(await gateway.refusal(acme, `update main.orders ${rest}`)).toEqual(denied)
      }
    })

    async function token(): Promise<string> {
      const { bearer } = await import('../support/tokens.ts')
      return (await bearer(acme)).authorization
    }
  })

  describe('UPDATE under several permissions', () => {
    let gateway: PermissionGateway
    const both = { ...acme, roles: ['opener', 'closer'] }
    beforeAll(async () => {
      gateway = await world.open({
        see: {
          table: 'main.orders',
          roles: ['*'],
          select: { columns: ['id', 'status'], where: mine },
        },
        own: {
          table: 'main.orders',
          roles: ['closer'],
          select: { where: { ...mine, total: { $gt: 15 } } },
        },
        open: {
          table: 'main.orders',
          roles: ['opener'],
          update: {
            columns: ['status', 'notes'],
            where: { status: 'new' },
            check: { status: 'open' },
          },
        },
        close: {
          table: 'main.orders',
          roles: ['closer'],
          update: { columns: ['status'], where: { status: 'paid' }, check: { status: 'closed' } },
        },
      })
    })
    const set = (status: string, id: number, more = '') =>
      `update main.orders set status = '${status}'${more} where id = ${id}`

    test('one of them must cover the row before and after', async () => {
      expect(await gateway.refusal(both, set('closed', 1))).toEqual(refused)
      expect(await gateway.refusal(both, set('open', 2))).toEqual(refused)
      expect(await gateway.rows(both, `${set('open', 1)} returning id, status`)).toEqual([
        [1, 'open'],
      ])
      expect(await gateway.rows(both, `${set('closed', 2)} returning id, status`)).toEqual([
        [2, 'closed'],
      ])
      expect(await gateway.rows(both, `${set('closed', 4)} returning id`)).toEqual([])
    })
    test('and the columns', async () => {
      expect(await gateway.rows(both, set('open', 1, ", notes = 'x'"))).toEqual([])
      expect(await gateway.rows(both, `${set('closed', 2, ", notes = 'x'")} returning id`)).toEqual(
        [],
      )
      expect(await stored('status')).toMatchObject({ 1: 'open', 2: 'paid' })
    })
    test('WHERE and SET see masked cells, RETURNING too', async () => {
      expect(
        await gateway.refusal(both, "update main.orders set status = 'closed' where total is null"),
      ).toEqual(refused)
      expect(
        await gateway.rows(
          both,
          "update main.orders set status = 'open' where total is null returning id, total, notes",
        ),
      ).toEqual([[1, null, null]])
      expect(
        await gateway.rows(
          both,
          "update main.orders set status = 'closed' where total = 20 returning id, total, notes",
        ),
      ).toEqual([[2, 20, 'second 100%']])
      expect(
        await gateway.rows(
          both,
          "update main.orders set status = 'open', notes = coalesce(notes, 'saw nothing') where id = 1 returning id",
        ),
      ).toEqual([])
    })
    test('SET stores what the caller sees of a cell', async () => {
      await gateway.rows(
        both,
        "update main.orders set status = 'open', notes = coalesce(notes, 'saw nothing') where id = 1",
      )
      expect(await stored('notes')).toMatchObject({ 1: 'saw nothing' })
    })
  })

  describe('DELETE', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        orders: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { columns: ['id', 'status', 'total'], where: mine },
          delete: { where: { status: { $in: ['new', 'shipped'] } } },
        },
        tags: { table: 'main.order_tags', roles: ['clerk'], select: {}, delete: {} },
      })
    })
    test('touches rows that may be seen and deleted', async () => {
      expect(
        await gateway.rows(acme, 'delete from main.orders where id > 2 returning id, status'),
      ).toEqual([[4, 'shipped']])
      expect(await gateway.rows(acme, 'delete from main.orders returning *')).toEqual([
        [1, 'new', 10],
      ])
      expect(await count('orders')).toBe(6)
      expect(await gateway.rows(acme, 'delete from main.orders where id = 5 returning id')).toEqual(
        [],
      )
    })
    test('reads through permissions', async () => {
      const sql =
        "delete from main.order_tags t using main.orders o where o.id = t.order_id and o.status = 'paid' returning t.tag_id"
      const rows = await gateway.rows(acme, sql)
      expect(rows).toEqual(expect.arrayContaining([[1], [2]]))
      await gateway.rows(
        acme,
        'delete from main.order_tags t using main.orders o where o.id = t.order_id',
      )
      expect(await count('order_tags')).toBe(1)
    })
    test('columns that are not readable cannot be read', async () => {
      expect(await gateway.refusal(acme, "delete from main.orders where notes = 'x'")).toEqual(
        denied,
      )
      expect(await gateway.refusal(acme, 'delete from main.orders returning notes')).toEqual(denied)
      expect(await gateway.refusal(acme, 'delete from main.customers')).toEqual(denied)
    })
  })

  describe('RETURNING', () => {
    test('RETURNING leaves out rows that can no longer be seen', async () => {
      const gateway = await world.open({
        p: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { where: { ...mine, status: { $ne: 'deleted' } } },
          update: { check: {} },
          insert: {},
        },
      })
      const hide = "update main.orders set status = 'deleted' where id < 3 returning id"
      expect(await gateway.rows(acme, hide)).toEqual([])
      expect(await stored('status')).toMatchObject({ 1: 'deleted', 2: 'deleted' })
      expect(
        await gateway.rows(
          acme,
          "update main.orders set status = case id when 3 then 'deleted' else 'x' end returning id, status",
        ),
      ).toEqual([[4, 'x']])
      const insert = (id: number, tenant: string) =>
        `insert into main.orders (id, customer_id, tenant) values (${id}, 1, '${tenant}') returning id, tenant`
      expect(await gateway.rows(acme, insert(9, 'umbra'))).toEqual([])
      expect(await gateway.rows(acme, insert(10, 'acme'))).toEqual([[10, 'acme']])
      expect(
        await gateway.rows(
          acme,
          "update main.orders set tenant = 'umbra' where id = 10 returning 1 / (total - total)",
        ),
      ).toEqual([])
    })
  })

  describe('upserts', () => {
    let gateway: PermissionGateway
    beforeAll(async () => {
      gateway = await world.open({
        orders: {
          table: 'main.orders',
          roles: ['clerk'],
          select: {
            columns: ['id', 'code', 'status', 'total', 'customer_id', 'tenant'],
            where: mine,
          },
          insert: { check: { status: { $ne: 'refused' } } },
          update: {
            columns: ['status', 'total', 'tenant'],
            where: { status: { $ne: 'shipped' } },
            check: { total: { $lt: 1000 } },
          },
        },
        preset: {
          table: 'main.feedback',
          roles: ['clerk'],
          select: {},
          insert: { columns: ['id', 'body'], preset: { tenant: '$user.tenant' } },
          update: { columns: ['body'], where: mine, preset: { level: 9 } },
        },
      })
    })
    const upsert = (id: number, status: string, rest = 'status = excluded.status') =>
      `insert into main.orders (id, customer_id, tenant, status) values (${id}, 1, 'acme', '${status}')
        on conflict (id) do update set ${rest}`

    test('insert what is not there, update what may be updated', async () => {
      expect(await gateway.rows(acme, `${upsert(9, 'x')} returning id, status`)).toEqual([[9, 'x']])
      expect(await gateway.rows(acme, `${upsert(1, 'y')} returning id, status, total`)).toEqual([
        [1, 'y', 10],
      ])
    })
    test('skip a row that may not be seen or updated', async () => {
      expect(await gateway.rows(acme, `${upsert(5, 'x')} returning id`)).toEqual([])
      expect(await gateway.rows(acme, `${upsert(4, 'x')} returning id`)).toEqual([])
      expect(await stored('status')).toMatchObject({ 4: 'shipped', 5: 'new' })
    })
    test('satisfy both checks', async () => {
      expect(await gateway.refusal(acme, upsert(1, 'refused'))).toEqual(refused)
      expect(await gateway.refusal(acme, upsert(9, 'refused'))).toEqual(refused)
      expect(await gateway.refusal(acme, upsert(1, 'x', 'total = 1000'))).toEqual(refused)
      expect(await stored('total')).toMatchObject({ 1: 10 })
      expect(await count('orders')).toBe(8)
    })
    test('set granted columns only, and read readable ones', async () => {
      for (const rest of [
        "notes = 'x'",
        'code = excluded.code',
        'status = excluded.notes',
        'status = orders.notes',
        "status = 'x' where orders.notes = 'y'",
        "status = 'x' where excluded.placed is null",
      ]) {
        expect(await gateway.refusal(acme, upsert(1, 'x', rest))).toEqual(denied)
      }
    })
    test('WHERE decides about rows that may be updated only', async () => {
      const rest = 'total = 5 where 1 / orders.total >= 0'
      expect(await gateway.rows(acme, `${upsert(5, 'x', rest)} returning id`)).toEqual([])
      expect(await gateway.rows(acme, `${upsert(1, 'x', rest)} returning id`)).toEqual([[1]])
    })
    test('presets hold in both arms', async () => {
      const sql = (id: number, set = 'body = excluded.body') =>
        `insert into main.feedback (id, body) values (${id}, 'mine') on conflict (id) do update set ${set}`
      await gateway.rows(acme, sql(3))
      await gateway.rows(acme, sql(1))
      await gateway.rows(acme, sql(2))
      expect(await stored('tenant', 'feedback')).toEqual({ 1: 'acme', 2: 'umbra', 3: 'acme' })
      expect(await stored('body', 'feedback')).toEqual({ 1: 'mine', 2: 'CANARY-bad', 3: 'mine' })
      expect(await stored('level', 'feedback')).toEqual({ 1: 9, 2: 3, 3: 3 })
      for (const set of [
        'tenant = excluded.tenant',
        "tenant = 'umbra'",
        'level = 1',
        'level = default',
      ]) {
        expect(await gateway.refusal(acme, sql(1, set))).toEqual(denied)
      }
    })
    test('a key that is not readable cannot be asked about', async () => {
      const narrow = await world.open({
        p: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { columns: ['id'] },
          insert: {},
          update: {},
        },
        f: { table: 'main.feedback', roles: ['clerk'], insert: {} },
      })
      const insert =
        "insert into main.orders (id, customer_id, tenant, code) values (9, 1, 'acme', 'U5')"
      expect(await narrow.refusal(acme, `${insert} on conflict (code) do nothing`)).toEqual(denied)
      expect(
        await narrow.refusal(
          acme,
          "insert into main.feedback (id, body) values (1, 'x') on conflict do nothing",
        ),
      ).toEqual(denied)
    })
  })

  describe('writes in WITH', () => {
    test('writes in WITH are all or nothing, and secured each', async () => {
      // The other databases have no writes in WITH.
      if (world.database.kind !== 'postgres') return
      const gateway = await world.open({
        orders: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { where: mine },
          update: { columns: ['status'] },
        },
        feedback: {
          table: 'main.feedback',
          roles: ['clerk'],
          select: { columns: ['id'] },
          insert: { check: mine },
        },
      })
      const sql = (tenant: string) => `with w as (
          insert into main.feedback (id, body, tenant) values (9, 'x', '${tenant}')
        ) update main.orders set status = 'done' where id in (1, 5) returning id`
      expect(await gateway.refusal(acme, sql('umbra'))).toEqual(refused)
      expect(await stored('status')).toMatchObject({ 1: 'new', 5: 'new' })
      expect(await gateway.rows(acme, sql('acme'))).toEqual([[1]])
      expect(await stored('status')).toMatchObject({ 1: 'done', 5: 'new' })
    })

    describe('of one table', () => {
      const writes = {
        table: 'main.orders',
        roles: ['clerk'],
        select: { where: mine },
        insert: { check: mine },
        delete: { where: mine },
      }
      const step = (from: string, to: string) => ({
        table: 'main.orders',
        roles: ['clerk'],
        update: { where: { status: from }, check: { status: to, ...mine } },
      })
      const open = () =>
        world.open({ writes, pay: step('new', 'paid'), ship: step('paid', 'shipped') })

      test('each change their rows', async () => {
        if (world.database.kind !== 'postgres') return
        const gateway = await open()
        const sql = `with a as (update main.orders set status = 'paid' where id in (1, 5) returning id),
          b as (update main.orders set status = 'shipped' where id = 2 returning id),
          c as (delete from main.orders where id in (3, 5) returning id)
          insert into main.orders (id, customer_id, tenant, status) select 20 + id, 1, 'acme', 'new' from a returning id`
        expect(await gateway.rows(acme, sql)).toEqual([[21]])
        const after = await stored('status')
        expect(after).toMatchObject({ 1: 'paid', 2: 'shipped', 5: 'new', 21: 'new' })
        expect(after).not.toHaveProperty('3')
      })

      test('do not combine to what none of them may do', async () => {
        if (world.database.kind !== 'postgres') return
        const gateway = await open()
        const set = (status: string) => `update main.orders set status = '${status}' where id = 1`
        for (const sql of [
          `with a as (${set('paid')}) ${set('shipped')}`,
          `with a as (${set('shipped')}) ${set('paid')}`,
          `with a as (${set('paid')} returning id) update main.orders set status = 'shipped' from a where orders.id = a.id`,
          `with a as (delete from main.orders where id = 1) ${set('shipped')}`,
        ]) {
          await gateway.ask(acme, sql)
          expect(await stored('status')).not.toMatchObject({ 1: 'shipped' })
          await world.reset()
        }
      })

      test('report no taken key that the caller may not learn of', async () => {
        if (world.database.kind !== 'postgres') return
        const gateway = await open()
        const add = (id: number, tenant: string) =>
          `with d as (delete from main.orders where id = 1 returning id)
            insert into main.orders (id, customer_id, tenant, status) values (${id}, 1, '${tenant}', 'new') on conflict do nothing`
        for (const id of [5, 99]) {
          expect(await gateway.refusal(acme, add(id, 'umbra'))).toEqual(refused)
          const plain = add(id, 'umbra').replace(' on conflict do nothing', '')
          expect(await gateway.refusal(acme, plain)).toEqual(refused)
        }
        expect(await stored('status')).toMatchObject({ 1: 'new', 5: 'new' })
      })
    })
  })

  describe('a batch', () => {
    test('a batch is rolled back by a failed check of any statement', async () => {
      const gateway = await world.open({
        orders: {
          table: 'main.orders',
          roles: ['clerk'],
          select: { where: mine },
          update: { where: mine },
        },
      })
      const { bearer } = await import('../support/tokens.ts')
      const statements = [
        "update main.orders set status = 'a' where id = 1",
        "update main.orders set tenant = 'umbra' where id = 2",
      ].map((sql) => ({ sql, params: [], method: 'run' }))
      const { status } = await gateway.gateway.post(
        '/data/batch',
        JSON.stringify({ statements }),
        await bearer(acme),
      )
      expect(status).toBe(422)
      expect(await stored('status')).toMatchObject({ 1: 'new', 2: 'paid' })
    })
  })
})
