/** @module Tables that many tenants share, and the queries of a client, with and without Engine. */

export const sizes = { orders: 40_000, customers: 2_000, tenants: 50 } as const

/** In SQL that all three databases support. */
export const schema: readonly string[] = [
  'create table customers (id integer primary key, tenant_id integer not null, name varchar(60) not null)',
  `create table orders (id integer primary key, tenant_id integer not null, customer_id integer not null,
    status varchar(20) not null, total_cents integer not null, placed timestamp not null)`,
  'create index orders_tenant on orders (tenant_id, id)',
  'create index orders_customer on orders (customer_id)',
  'create index customers_tenant on customers (tenant_id, id)',
]

const statuses = ['new', 'paid', 'shipped', 'cancelled'] as const

export function customerRow(id: number): readonly (number | string)[] {
  return [id, id % sizes.tenants, `Customer ${id}`]
}

/** Of the same tenant as its customer. */
export function orderRow(id: number): readonly (number | string)[] {
  const day = String(1 + (id % 28)).padStart(2, '0')
  const month = String(1 + (id % 12)).padStart(2, '0')
  return [
    id,
    id % sizes.tenants,
    1 + ((id - 1) % sizes.customers),
    statuses[id % 4] ?? 'new',
    (id * 37) % 100_000,
    `2024-${month}-${day} 10:00:00`,
  ]
}

export interface Comparison {
  readonly name: string
  /** The statement of the client. */
  readonly sql: string
  readonly params: readonly number[]
  /** The statement of a careful programmer: `?` for each value of `values`. */
  readonly byHand: string
  readonly values: readonly number[]
}

const tenant = 7

export const comparisons: readonly Comparison[] = [
  {
    name: 'one row by key',
    sql: 'select id, status, total_cents from main.orders where id = $1',
    params: [20_007],
    byHand: 'select id, status, total_cents from orders where id = ? and tenant_id = ?',
    values: [20_007, tenant],
  },
  {
    name: 'a page of a list',
    sql: 'select id, status, total_cents from main.orders order by id limit 50',
    params: [],
    byHand: 'select id, status, total_cents from orders where tenant_id = ? order by id limit 50',
    values: [tenant],
  },
  {
    name: 'sums by group',
    sql: 'select status, count(*), sum(total_cents) from main.orders group by status order by status',
    params: [],
    byHand:
      'select status, count(*), sum(total_cents) from orders where tenant_id = ? group by status order by status',
    values: [tenant],
  },
  {
    name: 'a join of two',
    sql: `select o.id, c.name from main.orders o join main.customers c on c.id = o.customer_id
      where o.total_cents > $1 order by o.id limit 100`,
    params: [50_000],
    byHand: `select o.id, c.name from orders o join customers c on c.id = o.customer_id
      where o.tenant_id = ? and c.tenant_id = ? and o.total_cents > ? order by o.id limit 100`,
    values: [tenant, tenant, 50_000],
  },
]

export const permissions = {
  orders: {
    table: 'main.orders',
    roles: ['clerk'],
    select: { where: { tenant_id: '$user.tenant' } },
  },
  customers: {
    table: 'main.customers',
    roles: ['clerk'],
    select: { where: { tenant_id: '$user.tenant' } },
  },
} as const

export const clerk = {
  kind: 'user',
  id: 'clerk',
  roles: ['clerk'],
  fields: { tenant },
} as const
