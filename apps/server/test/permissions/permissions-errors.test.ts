import type { Config } from '@engine/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'
import {
  acme,
  createWorld,
  masterKey,
  mine,
  type PermissionGateway,
  type PermissionWorld,
  permissionGateway,
} from '../support/permission-world.ts'
import { bearer } from '../support/tokens.ts'

const permissions = {
  'orders-of-tenant': {
    table: 'main.orders',
    roles: ['clerk'],
    select: { columns: ['id', 'status', 'customer_id'], where: mine },
    insert: { columns: ['id', 'customer_id', 'tenant', 'status'], check: mine },
    update: { columns: ['status'], where: mine },
  },
  customers: { table: 'main.customers', roles: ['clerk'], select: { columns: ['id', 'name'] } },
  members: { table: 'main.members', roles: ['clerk'], select: { where: mine }, insert: {} },
}

describeDatabases('refusals', (open) => {
  let world: PermissionWorld
  let production: PermissionGateway
  let development: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open)
    production = await world.open(permissions, { isDevelopment: false })
    development = await world.open(permissions)
  })
  afterAll(async () => {
    await world?.close()
  })

  /** The whole answer except its correlation id. */
  async function answer(sql: string): Promise<unknown> {
    const { status, headers, body } = await production.ask(acme, sql)
    const { correlation_id, ...rest } = body as Readonly<Record<string, unknown>>
    expect(correlation_id).toEqual(expect.any(String))
    const shown = [...headers].filter(([name]) => name !== 'x-request-id')
    return { status, headers: shown, body: rest }
  }

  describe('a hidden column and a missing one answer alike in production', () => {
    test.each([
      'select notes from main.orders',
      'select o.notes from main.orders o',
      "select id from main.orders where notes = 'x'",
      'select id from main.orders where notes = 5',
      'select id from main.orders order by notes',
      'select notes, count(*) from main.orders group by notes',
      'select count(notes) from main.orders',
      'select count(*) filter (where notes is null) from main.orders',
      'select row_number() over (partition by notes) from main.orders',
      'select distinct on (notes) id from main.orders',
      'select 1 from main.orders o join main.customers c on c.name = o.notes',
      'select 1 from main.orders join main.customers using (notes)',
      'select (select notes) from main.orders',
      'select 1 from main.orders o, lateral (select o.notes) q',
      'with q as (select * from main.orders) select notes from q',
      'select id from main.orders union select id from main.customers order by notes',
      "insert into main.orders (id, notes) values (9, 'x')",
      'insert into main.orders (id, notes) values (9, 5)',
      "insert into main.orders (id, customer_id, tenant) values (9, 1, 'acme') returning notes",
      "insert into main.orders (id, customer_id, tenant) values (1, 1, 'acme') on conflict (notes) do nothing",
      "insert into main.orders (id, customer_id, tenant) values (1, 1, 'acme') on conflict (id) do update set notes = 'x'",
      "insert into main.orders (id, customer_id, tenant) values (1, 1, 'acme') on conflict (id) do update set status = excluded.notes",
      "update main.orders set notes = 'x'",
      'update main.orders set notes = notes',
      'update main.orders set status = notes',
      "update main.orders set status = 'x' where notes is null",
      "update main.orders set status = 'x' returning notes",
    ])('%s', async (sql) => {
      const hidden = await answer(sql)
      expect(hidden).toEqual(await answer(sql.replaceAll('notes', 'nodes')))
      expect(hidden).toMatchObject({
        status: 403,
        body: {
          error: 'PERMISSION_DENIED',
          message: 'You do not have permission to perform this operation.',
        },
      })
    })
  })

  describe('an unknown column is named in production where all columns are readable', () => {
    test.each([
      ['select whom from main.members', '"whom" of "main"."members"', '"who"'],
      ['select 1 from main.members m where m.wo is null', '"wo" of "main"."members"', '"who"'],
      ['select "Who" from main.members', '"Who" of "main"."members"', '"who"'],
      [
        "insert into main.members (id, tennant, who) values (9, 'acme', 'x')",
        '"tennant" of "main"."members"',
        '"tenant"',
      ],
    ])('%s', async (sql, what, meant) => {
      expect(await answer(sql)).toMatchObject({
        status: 400,
        body: {
          error: 'BAD_REQUEST',
          message: `Column ${what} does not exist; did you mean ${meant}?`,
        },
      })
    })
    test('not where a table of the statement has a hidden one', async () => {
      const sql = 'select m.whom from main.members m join main.customers c on c.id = m.id'
      expect(await answer(sql)).toEqual(await answer('select c.email from main.customers c'))
    })
  })

  test('refusals of all kinds read alike in production', async () => {
    const refusals = [
      'select 1 from main.tags',
      'select notes from main.orders',
      'delete from main.orders',
      "update main.orders set tenant = 'x'",
      'select id from main.customers for update',
      "insert into main.customers (id, name) values (9, 'x')",
    ]
    const answers = await Promise.all(refusals.map(answer))
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  test('tables that do not exist answer 404, those that are not granted 403', async () => {
    expect(await production.refusal(acme, 'select 1 from main.nothing')).toEqual([
      404,
      'TABLE_NOT_FOUND',
    ])
    expect(await production.refusal(acme, 'select 1 from main.tags')).toEqual([
      403,
      'PERMISSION_DENIED',
    ])
  })

  test('a developer gets table, operation, role and the permissions that were checked', async () => {
    const { body } = await development.ask(acme, 'delete from main.orders')
    expect(body).toEqual({
      error: 'PERMISSION_DENIED',
      message: 'Role "clerk" may not delete "main.orders": no permission grants delete on it.',
      correlation_id: expect.any(String),
      details: {
        table: 'main.orders',
        operation: 'delete',
        role: 'clerk',
        evaluated_permissions: ['orders-of-tenant'],
      },
    })
    const column = await development.ask(acme, 'select notes from main.orders')
    expect(column.body).toMatchObject({
      message: 'Column "notes" of "main"."orders" is not readable for role "clerk".',
      details: {
        table: 'main.orders',
        operation: 'select',
        role: 'clerk',
        evaluated_permissions: ['orders-of-tenant'],
      },
    })
    const written = await development.ask(acme, "update main.orders set notes = 'x'")
    expect(written.body).toMatchObject({
      message: 'Column "notes" of "main"."orders" may not be set for role "clerk".',
      details: { operation: 'update' },
    })
    const ungranted = await development.ask(acme, 'select name from main.tags')
    expect(ungranted.body).toMatchObject({
      message: 'Role "clerk" may not select "main.tags": no permission grants select on it.',
      details: { table: 'main.tags', operation: 'select', evaluated_permissions: [] },
    })
  })

  test('a developer gets the permission whose check a row failed, however it was detected', async () => {
    const sql = "insert into main.orders (id, customer_id, tenant) values ($1, 1, 'umbra')"
    for (const id of [20, 5]) {
      const { body } = await development.ask(acme, sql, [id])
      expect(body).toEqual({
        error: 'VALIDATION_ERROR',
        message:
          'Role "clerk" may not insert "main.orders": no permission has a check that the written row passes.',
        correlation_id: expect.any(String),
        details: {
          table: 'main.orders',
          operation: 'insert',
          role: 'clerk',
          evaluated_permissions: ['orders-of-tenant'],
        },
      })
      expect((await production.ask(acme, sql, [id])).body).toEqual({
        error: 'VALIDATION_ERROR',
        message: 'The row violates the check of the permission.',
        correlation_id: expect.any(String),
      })
    }
  })

  describe('no rows through a row filter', () => {
    const header = async (gateway: PermissionGateway, sql: string) =>
      (await gateway.ask(acme, sql)).headers.get('X-Rows-Filtered')
    test('no rows through a row filter are marked for a developer', async () => {
      expect(await header(development, 'select id from main.orders where id = 5')).toBe(
        'main.orders',
      )
      expect(await header(development, "update main.orders set status = 'x' where id = 5")).toBe(
        'main.orders',
      )
      expect(await header(development, 'select id from main.orders where id = 1')).toBeNull()
      expect(await header(development, 'select id from main.customers where id = 99')).toBeNull()
    })
    test('and for no other caller', async () => {
      expect(await header(production, 'select id from main.orders where id = 5')).toBeNull()
    })
    test('in a batch too', async () => {
      const statements = ['select id from main.orders where id = 5', 'select 1 where false'].map(
        (sql) => ({ sql, params: [], method: 'all' }),
      )
      const { headers } = await development.gateway.post(
        '/data/batch',
        JSON.stringify({ statements }),
        await bearer(acme),
      )
      expect(headers.get('X-Rows-Filtered')).toBe('main.orders')
    })
  })

  test('a wrong number of parameters answers alike whether the plan is known or not', async () => {
    const ask = async (sql: string, params: readonly unknown[]) => {
      const { status, body } = await production.ask(acme, sql, params)
      const { correlation_id: _, ...rest } = body as Readonly<Record<string, unknown>>
      return { status, ...rest }
    }
    for (const sql of [
      'select id from main.orders where id = $1 and customer_id = $2',
      'select id from main.orders',
      'update main.orders set status = $1 where id = 999',
    ]) {
      const count = [...sql.matchAll(/\$/g)].length
      const fresh = await ask(sql, [1, 2, 3])
      expect(fresh).toMatchObject({ status: 400, error: 'BAD_REQUEST' })
      expect(await ask(sql, ['1', '2'].slice(0, count))).toMatchObject({ status: 200 })
      expect(await ask(sql, [1, 2, 3])).toEqual(fresh)
    }
  })

  test('a plan that is known answers hidden columns as an unknown one does', async () => {
    const sql = 'select notes from main.orders where id = $1'
    const before = await answer(sql)
    const admin = { authorization: `Bearer ${masterKey}` }
    const asAdmin = await production.gateway.data({ sql, params: [1], method: 'all' }, admin)
    expect(asAdmin.status).toBe(200)
    expect(await answer(sql)).toEqual(before)
  })

  test('what a database says of a row stays here', async () => {
    const statements = [
      "insert into main.orders (id, customer_id, tenant) values (5, 1, 'acme')",
      "insert into main.orders (id, customer_id, tenant) values (9, 1, 'umbra')",
      "insert into main.orders (id, customer_id, tenant, status) values (9, 1, 'acme', null)",
      "insert into main.orders (id, customer_id, tenant) values (9, 99, 'acme')",
    ]
    for (const sql of statements) {
      const text = JSON.stringify((await production.ask(acme, sql)).body)
      expect(text).not.toMatch(/orders|umbra|CANARY|customer|_key|detail|constraint/i)
      const told = JSON.stringify((await development.ask(acme, sql)).body)
      expect(told).not.toMatch(/umbra|CANARY|Key \(|failing row|duplicate|violates/i)
    }
  })

  describe('who asks', () => {
    test('the master key sees everything, within what is supported', async () => {
      const asAdmin = (sql: string) =>
        production.gateway.data(
          { sql, params: [], method: 'all' },
          { authorization: `Bearer ${masterKey}` },
        )
      expect((await asAdmin('select count(*) from main.orders')).body).toEqual({ rows: [['8']] })
      expect((await asAdmin('select nodes from main.orders')).status).toBe(400)
      expect((await asAdmin('create table x (id int)')).status).toBe(400)
      expect((await asAdmin('select id from main.orders where pg_sleep(1) is null')).status).toBe(
        400,
      )
    })
    test('an anonymous caller gets 401', async () => {
      expect(await production.refusal(undefined, 'select 1')).toEqual([401, 'UNAUTHORIZED'])
    })
    test('a role that nothing names sees nothing', async () => {
      for (const roles of [
        [],
        ['CLERK'],
        ['clerk '],
        ['admin'],
        ['__proto__'],
        ['*'],
        [['clerk']],
        [{}],
      ]) {
        expect(
          await production.refusal({ roles, tenant: 'acme' }, 'select id from main.orders'),
        ).toEqual([403, 'PERMISSION_DENIED'])
      }
      expect(
        await production.rows(
          { role: 'clerk', tenant: 'acme' },
          'select count(*) from main.orders',
        ),
      ).toEqual([['4']])
    })
    test('in open mode permissions are for anonymous', async () => {
      const config: Config = {
        connections: { main: world.database.url },
        permissions: {
          public: {
            table: 'main.orders',
            roles: ['anonymous'],
            select: { columns: ['id'], where: { $or: [{ status: 'new' }, mine] } },
          },
          users: { table: 'main.tags', roles: ['*'], select: {} },
        },
      }
      const gateway = await openGateway(config)
      const open = permissionGateway(gateway)
      expect(await open.rows(undefined, 'select id from main.orders order by id')).toEqual([
        [1],
        [5],
      ])
      expect(await open.refusal(undefined, 'select id from main.tags')).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
      expect(await open.refusal(undefined, 'delete from main.orders')).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
      await gateway.close()
    })
    test('plans are not confused between callers, roles and missing fields', async () => {
      const gateway = await world.open({
        own: { table: 'main.orders', roles: ['clerk'], select: { where: mine } },
        new: {
          table: 'main.orders',
          roles: ['guest'],
          select: { columns: ['id', 'status'], where: { status: 'new' } },
        },
      })
      const sql = 'select id from main.orders order by id'
      const expected: readonly (readonly [Record<string, unknown>, readonly number[]])[] = [
        [{ roles: ['clerk'], tenant: 'acme' }, [1, 2, 3, 4]],
        [{ roles: ['clerk'], tenant: 'umbra' }, [5, 6, 7, 8]],
        [{ roles: ['clerk'] }, []],
        [{ roles: ['clerk'], tenant: null }, []],
        [{ roles: ['guest'] }, [1, 5]],
        [{ roles: ['guest'], tenant: 'acme' }, [1, 5]],
        [{ roles: ['guest', 'clerk'] }, [1, 5]],
        [{ roles: ['clerk', 'guest'], tenant: 'acme' }, [1, 2, 3, 4, 5]],
      ]
      for (let round = 0; round < 2; round += 1) {
        const answers = await Promise.all(expected.map(([claims]) => gateway.rows(claims, sql)))
        expect(answers).toEqual(expected.map(([, ids]) => ids.map((id) => [id])))
      }
      expect(await gateway.refusal({ roles: ['guest'] }, 'select total from main.orders')).toEqual([
        403,
        'PERMISSION_DENIED',
      ])
      expect(await gateway.rows(acme, 'select total from main.orders where id = 1')).toEqual([[10]])
      expect(
        await gateway.refusal({ roles: ['guest'] }, 'select total from main.orders where id = 1'),
      ).toEqual([403, 'PERMISSION_DENIED'])
    })
  })

  describe('a configuration that names what does not exist', () => {
    test('a configuration that names what does not exist keeps the engine from starting, with every fault and its path', async () => {
      const broken = openGateway({
        connections: { main: world.database.url },
        permissions: {
          a: { table: 'main.ordrs', roles: ['r'], select: {} },
          b: { table: 'other.orders', roles: ['r'], select: {} },
          c: {
            table: 'main.orders',
            roles: ['r'],
            select: { columns: ['stats'], where: { $xor: [] } },
            update: { where: { customer: { cty: 'x' } } },
          },
        },
      } as Config)
      await expect(broken).rejects.toMatchObject({
        problem: 'invalidConfiguration',
        details: {
          faults: expect.arrayContaining([
            expect.objectContaining({ path: 'permissions.a.table' }),
            expect.objectContaining({ path: 'permissions.b.table' }),
            expect.objectContaining({ path: 'permissions.c.select.columns[0]' }),
            expect.objectContaining({ path: 'permissions.c.select.where.$xor' }),
            expect.objectContaining({ path: 'permissions.c.update.where.customer.cty' }),
          ]),
        },
      })
    })
    test('so does one of the wrong shape', async () => {
      const broken = openGateway({
        connections: { main: world.database.url },
        permissions: { a: { table: 'main.orders', role: 'r', select: { colums: [] } } },
      } as unknown as Config)
      await expect(broken).rejects.toMatchObject({
        details: {
          faults: [
            {
              path: 'permissions.a.role',
              message: expect.stringContaining('did you mean "roles"'),
            },
            { path: 'permissions.a.roles', message: expect.any(String) },
            {
              path: 'permissions.a.select.colums',
              message: expect.stringContaining('did you mean "columns"'),
            },
          ],
        },
      })
    })
  })
})
