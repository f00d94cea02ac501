/** Relations of a generated Drizzle schema find the right rows. */
import { drizzle } from 'drizzle-orm/pg-proxy'
import { drizzle as drizzleNext } from 'drizzle-orm-v1/pg-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { generatedModule } from '../support/generated-module.ts'

const setUp = `
create table customers (id integer primary key, name text not null);
create table profiles (
  id integer primary key, bio text not null,
  foreign key (id) references customers (id)
);
create table orders (
  id integer primary key, buyer_id integer not null, payer_id integer,
  foreign key (buyer_id) references customers (id), foreign key (payer_id) references customers (id)
);
create table order_lines (
  order_id integer not null, nr integer not null, product text not null,
  primary key (order_id, nr), foreign key (order_id) references orders (id)
);
create table parcels (
  id integer primary key, order_id integer not null, line_nr integer not null,
  foreign key (order_id, line_nr) references order_lines (order_id, nr)
);
create table tags (id integer primary key, name text not null);
create table order_tags (
  order_id integer not null, tag_id integer not null, primary key (order_id, tag_id),
  foreign key (order_id) references orders (id), foreign key (tag_id) references tags (id)
);
create table employees (
  id integer primary key, manager_id integer, foreign key (manager_id) references employees (id)
);
create table notes (id integer primary key, about integer);
create table users (tenant_id integer not null, id integer not null, primary key (tenant_id, id));
create table groups_ (tenant_id integer not null, id integer not null, primary key (tenant_id, id));
create table members (
  tenant_id integer not null, user_id integer not null, group_id integer not null, invited_by integer,
  primary key (tenant_id, user_id, group_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, group_id) references groups_ (tenant_id, id),
  foreign key (tenant_id, invited_by) references users (tenant_id, id)
);
insert into users values (1, 1), (1, 2), (2, 1);
insert into groups_ values (1, 7), (1, 8), (2, 7);
insert into members values (1, 1, 7, null), (1, 2, 7, 1), (1, 2, 8, 1), (2, 1, 7, null);
insert into customers values (1, 'Ada'), (2, 'Bob');
insert into profiles values (1, 'engines');
insert into orders values (10, 1, 2), (11, 2, null);
insert into order_lines values (10, 1, 'tea'), (10, 2, 'cup');
insert into parcels values (100, 10, 2);
insert into tags values (1, 'vip'), (2, 'late');
insert into order_tags values (10, 1), (10, 2), (11, 2);
insert into employees values (1, null), (2, 1), (3, 1);
insert into notes values (1, 10), (2, 10);
`

/** Declared in one direction only: the generator has to add the other. */
const relationships = {
  orders: { notes: { table: 'notes', type: 'one-to-many', from: 'id', to: 'about' } },
} as const

interface Query {
  findFirst(options: object): Promise<unknown>
}

type Queries = Readonly<Record<string, Query>>

describeDatabases('relations of a generated Drizzle schema', (open) => {
  let database: TestDatabase
  let gateway: TestGateway

  beforeAll(async () => {
    database = await open(setUp)
    gateway = await openGateway({ connections: { main: { url: database.url, relationships } } })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  const send = async (sql: string, params: readonly unknown[], method: string) => {
    const answer = await gateway.data({ sql, params, method })
    expect(answer.status === 200 ? 200 : { ...answer, sql }).toBe(200)
    return answer.body as { rows: unknown[] }
  }

  const expectRelations = async (query: (name: string) => Query) => {
    const order = await query('orders').findFirst({
      with: {
        buyer: { with: { profiles: true } },
        payer: { with: { profiles: true } },
        orderLines: { with: { parcels: true } },
        orderTags: { with: { tag: true } },
        notes: true,
      },
    })
    expect(order).toEqual({
      id: 10,
      buyerId: 1,
      payerId: 2,
      buyer: { id: 1, name: 'Ada', profiles: { id: 1, bio: 'engines' } },
      payer: { id: 2, name: 'Bob', profiles: null },
      orderLines: expect.arrayContaining([
        { orderId: 10, nr: 1, product: 'tea', parcels: [] },
        { orderId: 10, nr: 2, product: 'cup', parcels: [{ id: 100, orderId: 10, lineNr: 2 }] },
      ]),
      orderTags: expect.arrayContaining([
        { orderId: 10, tagId: 1, tag: { id: 1, name: 'vip' } },
        { orderId: 10, tagId: 2, tag: { id: 2, name: 'late' } },
      ]),
      notes: expect.arrayContaining([
        { id: 1, about: 10 },
        { id: 2, about: 10 },
      ]),
    })
    const customer = await query('customers').findFirst({
      with: { ordersByBuyerId: true, ordersByPayerId: true },
    })
    expect(customer).toEqual({
      id: 1,
      name: 'Ada',
      ordersByBuyerId: [{ id: 10, buyerId: 1, payerId: 2 }],
      ordersByPayerId: [],
    })
    const employee = await query('employees').findFirst({
      with: { manager: true, employees: { with: { manager: true } } },
    })
    const manager = { id: 1, managerId: null }
    expect(employee).toEqual({
      ...manager,
      manager: null,
      employees: expect.arrayContaining([
        { id: 2, managerId: 1, manager },
        { id: 3, managerId: 1, manager },
      ]),
    })
    const note = await query('notes').findFirst({ with: { orders: true } })
    expect(note).toEqual({ id: 1, about: 10, orders: { id: 10, buyerId: 1, payerId: 2 } })
  }

  test('of drizzle-orm 0.45', async () => {
    const { document } = await gateway.engine.describe()
    const schema = await generatedModule(document, { format: 'drizzle', connections: ['main'] })
    const queries = drizzle(send, { schema }).query as unknown as Queries
    await expectRelations((name) => named(queries, name))
  })

  test('of drizzle-orm 1.0, through junctions too', async () => {
    const { document } = await gateway.engine.describe()
    const module = await generatedModule(document, {
      format: 'drizzle',
      drizzleVersion: 1,
      connections: ['main'],
    })
    const options = { relations: module['relations'] } as Parameters<typeof drizzleNext>[1]
    const queries = drizzleNext(send, options).query as unknown as Queries
    await expectRelations((name) => named(queries, name))
    expect(
      await named(queries, 'tags').findFirst({ where: { id: 2 }, with: { orders: true } }),
    ).toEqual({
      id: 2,
      name: 'late',
      orders: expect.arrayContaining([
        { id: 10, buyerId: 1, payerId: 2 },
        { id: 11, buyerId: 2, payerId: null },
      ]),
    })
    expect(
      await named(queries, 'groups').findFirst({
        where: { tenantId: 1, id: 7 },
        with: { users: true },
      }),
    ).toEqual({
      tenantId: 1,
      id: 7,
      users: expect.arrayContaining([
        { tenantId: 1, id: 1 },
        { tenantId: 1, id: 2 },
      ]),
    })
  })

  test('a permission follows a junction that has more keys than two', async () => {
    const member = { users: { $some: { tenant_id: 1, id: 2 } } }
    const guarded = await openGateway({
      connections: { main: { url: database.url, relationships } },
      permissions: {
        'own groups': { table: 'main.groups_', roles: ['anonymous'], select: { where: member } },
      },
    })
    const sql = 'select tenant_id, id from main.groups_ order by id'
    const answer = await guarded.data({ sql, params: [], method: 'all' })
    await guarded.close()
    expect(answer.body).toEqual({
      rows: [
        [1, 7],
        [1, 8],
      ],
    })
  })
})

function named(queries: Queries, name: string): Query {
  const query = queries[name]
  if (query === undefined) throw new Error(`no table ${name}`)
  return query
}
