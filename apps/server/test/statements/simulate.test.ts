/** A simulation returns the same answer as the query, and changes nothing. */
import { readFileSync } from 'node:fs'
import { admin, type Caller, type Engine, GatewayError, type Simulation } from '@engine/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { createFolder } from '../support/folder.ts'
import { openGateway } from '../support/gateway.ts'
import { createWorld, mine, type PermissionWorld } from '../support/permission-world.ts'

const acme = { kind: 'user', id: 'ada', roles: ['clerk'], fields: { tenant: 'acme' } } as const

const permissions = {
  orders: {
    table: 'main.orders',
    roles: ['clerk'],
    select: { where: mine },
    insert: { check: { ...mine, total: { $gte: 0 } } },
    update: { where: mine },
    delete: { where: mine },
  },
  customers: { table: 'main.customers', roles: ['clerk'], select: { where: mine } },
}

/** A foreign key that is checked at COMMIT, where the database supports it. */
const setUp = (kind: TestDatabase['kind']) => `
create table parents (id integer primary key);
create table children (
  id integer primary key,
  parent_id integer,
  foreign key (parent_id) references parents (id) ${kind === 'mysql' ? '' : 'deferrable initially deferred'}
);
insert into parents (id) values (1);
create table many (id integer primary key);
insert into many (id)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select i from n;
`

const tables = ['customers', 'orders', 'order_lines', 'order_tags', 'feedback', 'children']

describeDatabases('a simulation', (open, kind) => {
  let world: PermissionWorld
  let engine: Engine

  beforeAll(async () => {
    world = await createWorld(open, setUp(kind))
    engine = (await world.open(permissions)).gateway.engine
  })
  afterAll(() => world?.close())

  const simulate = (sql: string, params: readonly unknown[] = [], caller: Caller = acme) =>
    engine.simulate({ sql, params, caller })
  const state = async () => {
    const found: (readonly object[])[] = []
    for (const table of tables) {
      const rows = await world.database.rows(`select * from ${table}`)
      found.push(rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))))
    }
    return found
  }
  const body = (simulation: Simulation) =>
    simulation.outcome === 'answered'
      ? (JSON.parse(Buffer.from(simulation.body).toString()) as unknown)
      : simulation

  test.each<[sql: string, rowCount: number, rows: readonly unknown[]]>([
    [
      `update main.orders set status = 'gone' where id < 3 returning id, status`,
      2,
      [
        [1, 'gone'],
        [2, 'gone'],
      ],
    ],
    [`update main.orders set status = 'gone'`, 4, []],
    ['delete from main.orders', 4, []],
    [
      `insert into main.orders (id, customer_id, tenant) values (20, 1, 'acme') returning id`,
      1,
      [[20]],
    ],
    [
      `insert into main.orders (id, customer_id, tenant, total) values (1, 1, 'acme', 7) on conflict (id) do update set total = excluded.total returning id, total`,
      1,
      [[1, 7]],
    ],
    [
      `insert into main.orders (id, customer_id, tenant) select id + 20, customer_id, tenant from main.orders`,
      4,
      [],
    ],
  ])('%s', async (sql, rowCount, rows) => {
    const before = await state()
    const simulation = await simulate(sql)
    expect(simulation).toMatchObject({ outcome: 'answered', status: 200, isWrite: true, rowCount })
    expect(body(simulation)).toMatchObject({ rows, rowCount })
    expect(await state()).toEqual(before)
  })

  test('a simulation answers reads as they are', async () => {
    const simulation = await simulate('select id, status from main.orders where id = $1', [2])
    expect(simulation).toMatchObject({ outcome: 'answered', isWrite: false, rowCount: 1 })
    expect(body(simulation)).toEqual({
      rows: [[2, 'paid']],
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'status', type: 'text' },
      ],
      rowCount: 1,
      truncated: false,
    })
  })

  test.each<[status: number, error: string, sql: string, params?: readonly unknown[]]>([
    [
      422,
      'VALIDATION_ERROR',
      `insert into main.orders (id, customer_id, tenant, total) values (30, 1, 'acme', -1)`,
    ],
    [422, 'VALIDATION_ERROR', `update main.orders set tenant = 'umbra'`],
    [409, 'CONFLICT', `insert into main.orders (id, customer_id, tenant) values (1, 1, 'acme')`],
    [409, 'CONFLICT', `insert into main.orders (id, customer_id, tenant) values (31, 99, 'acme')`],
    [403, 'PERMISSION_DENIED', 'delete from main.customers'],
    [404, 'TABLE_NOT_FOUND', 'delete from main.nothing'],
    [400, 'BAD_REQUEST', 'update main.orders set'],
    [400, 'BAD_REQUEST', 'delete from main.orders where id = $1', []],
    // Some rows are changed before one fails.
    [422, 'VALIDATION_ERROR', 'update main.orders set total = 10 / (id - 3)'],
  ])('%i %s: %s', async (status, error, sql, params) => {
    const before = await state()
    const simulation = await simulate(sql, params)
    expect(simulation).toMatchObject({ outcome: 'refused', status, error })
    const query = {
      sql,
      params: params ?? [],
      method: 'all',
      meta: false,
      signal: undefined,
    } as const
    const thrown = await engine.query(query, acme).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(thrown instanceof GatewayError)) throw new Error(`not refused: ${sql}`)
    const { message, publicMessage } = thrown
    expect(simulation).toMatchObject({ status: thrown.status, message, publicMessage })
    expect(await state()).toEqual(before)
  })

  test('meets constraints that a database checks as late as at COMMIT', async () => {
    const orphan = 'insert into main.children (id, parent_id) values (1, 99)'
    expect(await simulate(orphan, [], admin)).toMatchObject({ outcome: 'refused', status: 409 })
    const query = {
      sql: orphan,
      params: [],
      method: 'run',
      meta: false,
      signal: undefined,
    } as const
    await expect(engine.query(query, admin)).rejects.toMatchObject({ status: 409 })
    const child = 'insert into main.children (id, parent_id) values (1, 1)'
    expect(await simulate(child, [], admin)).toMatchObject({ outcome: 'answered', rowCount: 1 })
    expect(await world.database.rows('select * from children')).toEqual([])
  })

  if (kind === 'sqlite') {
    test('a simulation does not blame a statement for orphans of before', async () => {
      await world.database.run(
        'pragma foreign_keys = off; insert into children (id, parent_id) values (50, 98); pragma foreign_keys = on',
      )
      const child = 'insert into main.children (id, parent_id) values (2, 1)'
      expect(await simulate(child, [], admin)).toMatchObject({ outcome: 'answered' })
      const orphan = 'insert into main.children (id, parent_id) values (2, 98)'
      expect(await simulate(orphan, [], admin)).toMatchObject({ outcome: 'refused', status: 409 })
      await world.database.run('delete from children')
    })
  }

  describe('of several statements', () => {
    test('lets each see what those before it did, and keeps nothing', async () => {
      const before = await state()
      const simulations = await engine.simulateAll([
        {
          sql: `insert into main.orders (id, customer_id, tenant) values (40, 1, 'acme')`,
          caller: admin,
        },
        { sql: 'update main.orders set total = 3 where id = $1', params: [40], caller: acme },
        { sql: 'select total from main.orders where id = 40', caller: acme, method: 'get' },
      ])
      expect(simulations).toMatchObject([
        { outcome: 'answered', rowCount: 1 },
        { outcome: 'answered', rowCount: 1 },
        { outcome: 'answered', rowCount: 1 },
      ])
      expect(body(simulations[2] ?? { outcome: 'notRun' })).toMatchObject({ rows: [3] })
      expect(await state()).toEqual(before)
    })

    test('runs none after one that is refused', async () => {
      const before = await state()
      const outcomes = async (middle: string) =>
        (
          await engine.simulateAll([
            { sql: 'delete from main.order_lines', caller: admin },
            { sql: middle, caller: acme },
            { sql: 'delete from main.orders', caller: acme },
          ])
        ).map(({ outcome }) => outcome)
      const refused = ['answered', 'refused', 'notRun']
      expect(await outcomes('delete from main.customers')).toEqual(refused)
      expect(await outcomes('update main.orders set total = 1 / (id - id)')).toEqual(refused)
      expect(await outcomes('select 1')).toEqual(['answered', 'answered', 'answered'])
      expect(await state()).toEqual(before)
    })

    test('is for one connection', async () => {
      const two = await world.open(
        {},
        { config: { connections: { main: world.database.url, twin: world.database.url } } },
      )
      const simulations = await two.gateway.engine.simulateAll([
        { sql: 'delete from main.feedback', caller: admin },
        { sql: 'delete from twin.feedback', caller: admin },
      ])
      expect(simulations).toMatchObject([
        { outcome: 'answered' },
        { outcome: 'refused', status: 400, message: expect.stringContaining('"twin"') },
      ])
    })

    test('is nothing for none', async () => {
      expect(await engine.simulateAll([])).toEqual([])
    })
  })

  test('a simulation ends where its client has disconnected, and keeps nothing', async () => {
    const before = await state()
    const controller = new AbortController()
    const long = `update main.feedback set level = (
      select count(*) from main.many a, main.many b, main.many c where a.id + b.id + c.id > 0
    )`
    setTimeout(() => controller.abort(), 300)
    const simulation = await engine.simulate(
      { sql: long, caller: admin },
      { signal: controller.signal },
    )
    expect(simulation).toMatchObject({ outcome: 'refused', sqlState: '57014' })
    expect(await state()).toEqual(before)
    expect(await simulate('delete from main.feedback', [], admin)).toMatchObject({ rowCount: 2 })
  })

  test('a simulation writes nothing where only reading is allowed', async () => {
    const connections = { main: { url: world.database.url, readOnly: true } }
    const { gateway } = await world.open(permissions, { config: { connections } })
    const simulation = await gateway.engine.simulate({
      sql: 'delete from main.orders',
      caller: acme,
    })
    expect(simulation).toMatchObject({ outcome: 'refused' })
  })

  test('two hundred at once keep nothing', async () => {
    const before = await state()
    const all = Array.from({ length: 200 }, (_, i) =>
      simulate('update main.orders set total = $1 where id = $2 returning total', [i, (i % 4) + 1]),
    )
    for (const [i, simulation] of (await Promise.all(all)).entries()) {
      expect(body(simulation)).toMatchObject({ rows: [[i]] })
    }
    expect(await state()).toEqual(before)
  })
})

test('a simulation writes no file of a directory of CSV', async () => {
  const folder = createFolder()
  const file = folder.write('people.csv', 'id,name\n1,Ada\n2,Bob\n')
  const connections = { files: { directory: folder.path, writable: true } }
  const gateway = await openGateway({ connections })
  try {
    const sql = `update files.people set name = 'Cy' where id = 1 returning name`
    const simulation = await gateway.engine.simulate({ sql, caller: admin })
    expect(simulation).toMatchObject({ outcome: 'answered', isWrite: true, rowCount: 1 })
    expect(readFileSync(file, 'utf8')).toBe('id,name\n1,Ada\n2,Bob\n')
    const after = await gateway.engine.simulate({
      sql: 'select name from files.people',
      caller: admin,
    })
    expect(Buffer.from(after.outcome === 'answered' ? after.body : '').toString()).toContain('Ada')
  } finally {
    await gateway.close()
    folder.remove()
  }
})
