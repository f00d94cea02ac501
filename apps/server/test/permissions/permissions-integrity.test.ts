import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'
import { bearer } from '../support/tokens.ts'

/** Orders of customers of the caller's tenant, with a key that is unique over all tenants. */
const permissions = {
  orders: {
    table: 'main.orders',
    roles: ['clerk'],
    select: { where: mine },
    insert: { check: { tenant: '$user.tenant', customer: mine } },
    update: {
      where: mine,
      check: { tenant: '$user.tenant', customer: mine, status: { $ne: 'void' } },
    },
  },
  customers: { table: 'main.customers', roles: ['clerk'], select: { where: mine } },
  feedback: {
    table: 'main.feedback',
    roles: ['clerk'],
    select: {},
    insert: { check: { tenant: '$user.tenant', level: 3 } },
  },
  'feedback-of-bosses': {
    table: 'main.feedback',
    roles: ['boss'],
    select: {},
    insert: { check: { level: { $gt: 3 } } },
  },
}

const checkFailed = { status: 422, error: 'VALIDATION_ERROR' }
const conflict = { status: 409, error: 'CONFLICT' }

describeDatabases('what a refused write tells', (open, kind) => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open)
    gateway = await world.open(permissions, { isDevelopment: false })
  })
  beforeEach(() => world.reset())
  afterAll(() => world?.close())

  /** Status, headers and body, except the correlation id. */
  async function answer(sql: string, params: readonly unknown[] = []): Promise<unknown> {
    const { status, headers, body } = await gateway.ask(acme, sql, params)
    const { correlation_id, ...rest } = body as Readonly<Record<string, unknown>>
    expect(correlation_id).toEqual(expect.any(String))
    return { status, headers: [...headers].filter(([name]) => name !== 'x-request-id'), ...rest }
  }

  describe('a parent of another tenant and none at all answer alike', () => {
    test.each([
      ['INSERT', "insert into main.orders (id, customer_id, tenant) values (20, $1, 'acme')"],
      [
        'INSERT of several rows',
        "insert into main.orders (id, customer_id, tenant) values (20, 1, 'acme'), (21, $1, 'acme')",
      ],
      [
        'INSERT of a query',
        "insert into main.orders (id, customer_id, tenant) select o.id + 20, $1::int, 'acme' from main.orders o where o.id = 1",
      ],
      [
        'INSERT with WITH',
        "with q as (select id + 20 as id from main.orders where id = 1) insert into main.orders (id, customer_id, tenant) select q.id, $1::int, 'acme' from q",
      ],
      ['UPDATE', 'update main.orders set customer_id = $1 where id = 1'],
      [
        'UPDATE that reads',
        'update main.orders set customer_id = $1, total = total + 1 where total / 2 = 5',
      ],
      [
        'UPDATE FROM',
        'update main.orders set customer_id = $1 from main.customers c where c.id = orders.customer_id and c.id = 1',
      ],
      ['RETURNING', 'update main.orders set customer_id = $1 where id = 1 returning id'],
      [
        'an upsert that inserts',
        "insert into main.orders (id, customer_id, tenant) values (20, $1, 'acme') on conflict (id) do update set status = 'x'",
      ],
      [
        'an upsert that updates',
        "insert into main.orders (id, customer_id, tenant) values (1, 1, 'acme') on conflict (id) do update set customer_id = $1",
      ],
      [
        'DO NOTHING',
        "insert into main.orders (id, customer_id, tenant) values (20, $1, 'acme') on conflict do nothing",
      ],
    ])('%s', async (_, sql) => {
      const foreign = await answer(sql, [3])
      expect(foreign).toEqual(await answer(sql, [99]))
      expect(foreign).toMatchObject(checkFailed)
    })
  })

  test('a key that is taken, of a row that fails its check, answers as the failed check', async () => {
    const sql = 'insert into main.orders (id, customer_id, tenant) values ($1, $2, $3)'
    const failed = await answer(sql, [20, 1, 'umbra'])
    expect(failed).toMatchObject(checkFailed)
    expect(await answer(sql, [5, 1, 'umbra'])).toEqual(failed)
    expect(await answer(sql, [1, 1, 'umbra'])).toEqual(failed)
    expect(await answer(sql, [5, 3, 'acme'])).toEqual(failed)
    expect(await answer('update main.orders set id = 5, customer_id = 3 where id = 1')).toEqual(
      failed,
    )
    expect(
      await answer("update main.orders set code = 'U5', status = 'void' where id = 1"),
    ).toEqual(failed)
    expect(await answer("update main.orders set status = 'void' where id = 1")).toEqual(failed)
  })

  test('for a row that passes its check, the key is reported', async () => {
    const sql = 'insert into main.orders (id, customer_id, tenant) values ($1, $2, $3)'
    expect(await answer(sql, [1, 1, 'acme'])).toMatchObject(conflict)
    expect(await answer("update main.orders set code = 'A2' where id = 1")).toMatchObject(conflict)
    expect(
      await answer(
        "insert into main.orders (id, customer_id, tenant, code) values (20, 1, 'acme', 'A1') on conflict (id) do nothing",
      ),
    ).toMatchObject(conflict)
    expect(
      await answer(
        "insert into main.orders (id, customer_id, tenant) values (1, 1, 'acme') on conflict (id) do update set code = 'A2'",
      ),
    ).toMatchObject(conflict)
  })

  test('columns left to the database count with their constants', async () => {
    // level is 3 by default: the row passes; a level of 4 fails, with any key.
    expect(
      await answer("insert into main.feedback (id, body, tenant) values (1, 'x', 'acme')"),
    ).toMatchObject(conflict)
    expect(
      await answer(
        "insert into main.feedback (id, body, tenant, level) values (1, 'x', 'acme', default)",
      ),
    ).toMatchObject(conflict)
    expect(
      await answer(
        "insert into main.feedback (id, body, tenant, level) values (1, 'x', 'acme', 4)",
      ),
    ).toMatchObject(checkFailed)
    expect(await answer("insert into main.feedback (id, body) values (1, 'x')")).toMatchObject(
      checkFailed,
    )
    const boss = { roles: ['boss'] }
    const sql = "insert into main.feedback (id, body) values ($1, 'x')"
    expect(await gateway.refusal(boss, sql, [9])).toEqual([422, 'VALIDATION_ERROR'])
    expect(await gateway.refusal(boss, sql, [1])).toEqual([422, 'VALIDATION_ERROR'])
    expect(await gateway.refusal(boss, `${sql}, (9, 'y')`, [1])).toEqual([422, 'VALIDATION_ERROR'])
  })

  test('other refusals of the database are judged too', async () => {
    expect(
      await answer(
        "insert into main.orders (id, customer_id, tenant, status) values (20, 1, 'acme', null)",
      ),
    ).toMatchObject({ status: 422, message: 'A column that requires a value has none.' })
    const failed = await answer(
      "insert into main.orders (id, customer_id, tenant) values (20, 3, 'acme')",
    )
    expect(
      await answer(
        "insert into main.orders (id, customer_id, tenant, status) values (20, 3, 'acme', null)",
      ),
    ).toEqual(failed)
  })

  test('an upsert skips what it may not touch, and is judged by the rest', async () => {
    const sql =
      "insert into main.orders (id, customer_id, tenant) values (5, $1, 'acme'), (20, $2, 'acme') on conflict (id) do update set status = 'x'"
    expect(await answer(sql, [1, 99])).toEqual(await answer(sql, [1, 3]))
    expect((await gateway.ask(acme, sql, [1, 1])).status).toBe(200)
    // A row that may not be proposed is refused, whether a row with its key exists or not.
    expect((await gateway.ask(acme, sql, [3, 1])).status).toBe(422)
  })

  test('a batch is judged by the statement that failed', async () => {
    const batch = async (customer: number) => {
      const statements = [
        { sql: 'update main.orders set total = 11 where id = 1', params: [], method: 'run' },
        {
          sql: "insert into main.orders (id, customer_id, tenant) values (20, $1, 'acme')",
          params: [customer],
          method: 'run',
        },
      ]
      const { status, body } = await gateway.gateway.post(
        '/data/batch',
        JSON.stringify({ statements }),
        await bearer(acme),
      )
      const { correlation_id: _, ...rest } = body as Readonly<Record<string, unknown>>
      return { status, ...rest }
    }
    const foreign = await batch(3)
    expect(foreign).toEqual(await batch(99))
    expect(foreign).toMatchObject(checkFailed)
    expect(await gateway.rows(acme, 'select total from main.orders where id = 1')).toEqual([[10]])
  })

  test('nothing of a refused write is stored', async () => {
    await answer("insert into main.orders (id, customer_id, tenant) values (20, 99, 'acme')")
    expect(await gateway.rows(acme, 'select count(*) from main.orders')).toEqual([['4']])
  })

  if (kind !== 'postgres') return
  test('writes in WITH are judged each', async () => {
    const sql = `with a as (insert into main.orders (id, customer_id, tenant) values (20, $1, 'acme') returning id)
      select id from a`
    expect(await answer(sql, [3])).toEqual(await answer(sql, [99]))
    expect(await answer(sql, [99])).toMatchObject(checkFailed)
  })
  test('a write that reads what another returns counts as failed', async () => {
    const sql = `with a as (insert into main.feedback (id, body, tenant) values (20, 'x', 'acme') returning id)
      insert into main.orders (id, customer_id, tenant) select a.id, $1::int, 'acme' from a`
    expect(await answer(sql, [3])).toEqual(await answer(sql, [99]))
    expect(await answer(sql, [99])).toMatchObject(checkFailed)
    expect((await gateway.ask(acme, sql, [1])).status).toBe(200)
  })
})
