/**
 * Known leaks of other database gateways, by the numbers of the list of leak vectors; those about errors and counts are
 * in permissions-attacks.test.ts.
 */
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
import { bearer } from '../support/tokens.ts'

const denied = [403, 'PERMISSION_DENIED']
const unsupported = [400, 'BAD_REQUEST']

/** A view over everything, a table that fills itself in, and a child that is deleted with its parent. */
const more = `
create view everything as select id, tenant, notes from orders;
create table notes_of (id integer primary key, tenant text not null default 'umbra', body text);`

const permissions = {
  orders: {
    table: 'main.orders',
    roles: ['clerk'],
    select: { columns: ['id', 'customer_id', 'status', 'total', 'tenant'], where: mine },
    insert: {
      columns: ['id', 'customer_id', 'status', 'total'],
      preset: { tenant: '$user.tenant' },
    },
    update: { columns: ['status', 'total'], where: mine, preset: { tenant: '$user.tenant' } },
    delete: { where: mine },
  },
  lines: { table: 'main.order_lines', roles: ['clerk'], select: { where: { order: mine } } },
  customers: { table: 'main.customers', roles: ['clerk'], select: { columns: ['id', 'name'] } },
  notes: {
    table: 'main.notes_of',
    roles: ['clerk'],
    select: {},
    insert: { columns: ['id', 'tenant', 'body'], check: mine },
  },
  reader: { table: 'main.orders', roles: ['reader'], select: {} },
  level: {
    table: 'main.feedback',
    roles: ['reader'],
    select: { where: { $not: { level: { $lt: '$user.level' } } } },
  },
  odd: { table: 'main.feedback', roles: ['constructor', '__proto__'], select: {} },
}

describeDatabases('leak vectors', (open) => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open, more)
    gateway = await world.open(permissions, { isDevelopment: false })
  })
  beforeEach(() => world.reset())
  afterAll(() => world?.close())

  describe('names and scopes', () => {
    test.each<[string, string, readonly unknown[]]>([
      [
        '3: a name without its connection is one of the catalog',
        'select relname from pg_class',
        [404, 'TABLE_NOT_FOUND'],
      ],
      [
        '3: no other schema is reached',
        'select 1 from information_schema.tables',
        [404, 'TABLE_NOT_FOUND'],
      ],
      ['5: no other database', 'select 1 from postgres.public.orders', unsupported],
      ['6: names are exact', 'select 1 from main."Orders"', [404, 'TABLE_NOT_FOUND']],
      ['6: names of columns are exact', 'select "ID" from main.orders', denied],
      ['7: a name in double quotes is never a text', 'select "nothing" from main.orders', denied],
      ['7: nor in a condition', 'select id from main.orders where status = "paid"', denied],
      ['8: half a character is no text', "select U&'\\D800'", unsupported],
      ['8: NUL is no character', 'select 1 as "a\u0000b"', unsupported],
      ['9: prototypes are no tables', 'select 1 from main.constructor', [404, 'TABLE_NOT_FOUND']],
      ['9: prototypes are no columns', 'select __proto__ from main.orders', denied],
      ['9: prototypes are no functions', 'select constructor(1)', unsupported],
      ['10: a column by function notation', 'select notes(o) from main.orders o', unsupported],
      ['10: a field of a row', 'select (o).notes from main.orders o', unsupported],
      [
        '10: a hidden column in a variadic array',
        'select concat(variadic array[status, notes]) from main.orders',
        denied,
      ],
      [
        '10: a hidden column as a subscript of jsonb',
        `select (jsonb '{"a": 1}')[notes] from main.orders`,
        denied,
      ],
      ['43: a sequence is not set', "select setval('main.orders_id_seq', 1)", unsupported],
      [
        '18: WITH queries that nobody reads',
        'with q as (select notes from main.orders) select 1',
        denied,
      ],
      [
        '18: writes that nobody reads',
        "with q as (update main.customers set name = 'x' returning 1) select 1",
        denied,
      ],
      [
        '19: a condition on the key of a conflict',
        'insert into main.orders (id, customer_id) values (1, 1) on conflict (id) where notes is null do nothing',
        denied,
      ],
      [
        '21: the source of MERGE',
        'merge into main.orders o using main.members m on m.id = o.id when matched then delete',
        denied,
      ],
      [
        '22: FOR UPDATE without the right to update',
        'select id from main.customers for update',
        denied,
      ],
      [
        '22: FOR SHARE of a subquery',
        'select id from (select id from main.customers) q for share',
        denied,
      ],
      [
        '22: FOR UPDATE inside of WITH',
        'with q as (select id from main.customers for update) select 1 from q',
        denied,
      ],
      ['24: functions that run SQL', "select query_to_json('select 1')", unsupported],
      [
        '25: collations of a schema',
        'select name collate "public"."x" from main.customers',
        unsupported,
      ],
      ['43: numbers of a sequence', "select nextval('orders_id_seq')", unsupported],
      ['60: ONLY', 'select notes from only main.orders', denied],
    ])('%s', async (_, sql, expected) => {
      expect(await gateway.refusal(acme, sql)).toEqual(expected)
    })
  })

  test('29: names break out of nothing', async () => {
    for (const name of ['a"b', 'a`b', "a'b", 'a\\', 'a" from orders --', '$1', 'a;b']) {
      const quoted = `"${name.replaceAll('"', '""')}"`
      const sql = `select o.id as ${quoted} from main.orders o where o.id = 1 order by ${quoted}`
      const { status, body } = await gateway.gateway.data(
        { sql, params: [], method: 'execute' },
        await bearer(acme),
      )
      expect([status, body]).toEqual([200, { rows: [{ [name]: 1 }] }])
    }
  })

  test('60: ONLY shows no other rows', async () => {
    const rows = await gateway.rows(acme, 'select id from main.orders order by id')
    expect(rows).not.toEqual([])
    expect(await gateway.rows(acme, 'select id from only main.orders order by id')).toEqual(rows)
  })

  test('35: a parameter is one value of its type', async () => {
    const sql = 'select id from main.orders where status = $1'
    for (const value of [{ $ne: '' }, ['new', 'paid'], { toString: 'x' }, [['status', '!=', 1]]]) {
      const { status } = await gateway.ask(acme, sql, [value])
      const rows = status === 200 ? await gateway.rows(acme, sql, [value]) : []
      expect(rows).toEqual([])
    }
    expect(await gateway.rows(acme, sql, ["new' or '1'='1"])).toEqual([])
  })

  test('36: parameters keep their numbers whatever a policy adds', async () => {
    const sql =
      'select $2::text, id, $1::text from main.orders where id = $3 or (id = $4 and status = $2) limit $5'
    expect(await gateway.rows(acme, sql, ['one', 'two', 1, 5, 9])).toEqual([['two', 1, 'one']])
  })

  test('37, 48: a plan never carries values from one caller to another', async () => {
    const sql = 'select id, tenant from main.orders where id in (1, 5)'
    for (let round = 0; round < 2; round += 1) {
      expect(await gateway.rows(acme, sql)).toEqual([[1, 'acme']])
      expect(await gateway.rows({ ...acme, tenant: 'umbra' }, sql)).toEqual([[5, 'umbra']])
      expect(await gateway.rows({ ...acme, tenant: 'none' }, sql)).toEqual([])
    }
  })

  test('51, 52: the stored row is checked, defaults and NULL included', async () => {
    const refused = [422, 'VALIDATION_ERROR']
    expect(
      await gateway.refusal(acme, "insert into main.notes_of (id, body) values (1, 'x')"),
    ).toEqual(refused)
    expect(
      await gateway.refusal(
        { ...acme, tenant: null },
        "insert into main.notes_of (id, tenant) values (1, 'acme')",
      ),
    ).toEqual(denied)
    expect(
      await gateway.rows(acme, "insert into main.notes_of (id, tenant) values (1, 'acme')"),
    ).toEqual([])
  })

  test('54: a preset keeps rows where they are', async () => {
    await gateway.rows(acme, "update main.orders set status = 'x' where id in (1, 5)")
    const rows = await world.database.rows(
      "select id from orders where status = 'x' and tenant = 'acme'",
    )
    expect(rows).toHaveLength(1)
  })

  test('55: one row that fails takes all with it', async () => {
    const sql =
      "insert into main.notes_of (id, tenant) values (11, 'acme'), (12, 'umbra'), (13, 'acme')"
    expect(await gateway.refusal(acme, sql)).toEqual([422, 'VALIDATION_ERROR'])
    expect(await world.database.rows('select id from notes_of where id > 10')).toEqual([])
  })

  test('57: what is preset cannot be named', async () => {
    for (const sql of [
      "insert into main.orders (id, customer_id, tenant) values (9, 1, 'umbra')",
      "update main.orders set tenant = 'umbra' where id = 1",
      "insert into main.orders (id, customer_id) values (1, 1) on conflict (id) do update set tenant = 'umbra'",
    ]) {
      expect(await gateway.refusal(acme, sql)).toEqual(denied)
    }
  })

  test('59: a view needs a permission of its own', async () => {
    expect(await gateway.refusal(acme, 'select notes from main.everything')).toEqual(denied)
  })

  describe('61: a missing field of the caller opens nothing', () => {
    test.each<[string, Claims, number]>([
      ['missing', {}, 0],
      ['null', { level: null }, 0],
      ['of the wrong kind', { level: { $gt: 0 } }, 0],
      ['no number', { level: 'high' }, 0],
      ['inherited', JSON.parse('{"__proto__": {"level": 0}}'), 0],
      ['there', { level: 3 }, 2],
    ])('%s', async (_, claims, count) => {
      const rows = await gateway.rows(
        { roles: ['reader'], ...claims },
        'select id from main.feedback',
      )
      expect(rows).toHaveLength(count)
    })
  })

  test('64: roles are exact texts, also those with odd names', async () => {
    const sql = 'select count(*) from main.feedback'
    expect(await gateway.rows({ roles: ['__proto__'] }, sql)).toEqual([['2']])
    expect(await gateway.rows({ roles: ['constructor'] }, sql)).toEqual([['2']])
    for (const roles of [
      ['toString'],
      ['Constructor'],
      ['constructor '],
      [' constructor'],
      'constructor,x',
    ]) {
      expect(await gateway.refusal({ roles }, sql)).toEqual(denied)
    }
  })

  test('67, 68: a column that comes later stays hidden, and a table that changes is read again', async () => {
    await world.database.run('alter table order_tags add column secret text')
    await world.database.run('alter table notes_of add column secret text')
    const later = await world.open({
      notes: { table: 'main.notes_of', roles: ['clerk'], select: {} },
    })
    await world.database.run('alter table notes_of add column later text')
    await later.gateway.engine.refreshCatalog()
    expect(await later.rows(acme, 'select secret from main.notes_of')).toEqual(expect.any(Array))
    expect(await later.refusal(acme, 'select later from main.notes_of')).toEqual(denied)
    await world.database.run('alter table notes_of drop column secret')
    expect(
      (await later.ask(acme, 'select secret from main.notes_of')).status,
    ).toBeGreaterThanOrEqual(400)
    expect(await later.rows(acme, 'select * from main.notes_of')).toEqual(expect.any(Array))
  })
})
