/** @module The four workloads of the comparison, and the table that they use. */

/** Rows of the measured tenant: what the grouping reads. `others` tenants share as many rows. */
export const sizes = { own: 10_000, others: 9 } as const

/** The rows of this owner are visible to the caller: the subject of its credential. */
export const owner = 'ada'

/** In SQL that all three databases support; `%id` is the type of a generated key. */
export const tables: readonly string[] = [
  `create table orders (id integer primary key, owner varchar(40) not null, status varchar(20) not null,
    total_cents bigint not null, freight decimal(10,2), order_date timestamp not null, ship_city varchar(40),
    is_gift boolean not null)`,
  'create index orders_owner on orders (owner, id)',
  `create table notes (id %id, owner varchar(40) not null, body varchar(200) not null, priority integer not null default 0,
    is_pinned boolean not null default false, created_at timestamp not null default current_timestamp)`,
]

const statuses = ['new', 'paid', 'shipped', 'cancelled'] as const

/** A row of `orders`: every tenth one belongs to the measured caller. */
export function orderRow(id: number): readonly (number | string | boolean | null)[] {
  const day = String(1 + (id % 28)).padStart(2, '0')
  const month = String(1 + (id % 12)).padStart(2, '0')
  return [
    id,
    isOwn(id) ? owner : `tenant ${id % (sizes.others + 1)}`,
    statuses[Math.floor(id / 10) % 4] ?? 'new',
    (id * 37) % 100_000,
    ((id * 13) % 5_000) / 100,
    `2024-${month}-${day} 10:00:00`,
    id % 9 === 0 ? null : `City ${id % 200}`,
    id % 3 === 0,
  ]
}

const every = sizes.others + 1
const isOwn = (id: number) => id % every === 7

/** Different keys of the caller's rows. */
const ownKeys = Array.from({ length: 100 }, (_, i) => 7 + i * every)

export type WorkloadName = 'W1' | 'W2' | 'W3' | 'W4'

export interface Workload {
  readonly name: WorkloadName
  readonly title: string
  /** Sent to Engine. */
  readonly sql: string
  /** Sent in turn. */
  readonly params: readonly (readonly (number | string)[])[]
  /** What a programmer writes, with `?` for each parameter and the owner after them. */
  readonly byHand: string
  /** The rows of an answer. */
  readonly rows: number
}

export const pageSize = 100

/** Connections of a server to its database: as many as Engine uses by default. */
export const connections = 16

export const workloads: readonly Workload[] = [
  {
    name: 'W1',
    title: 'point select',
    sql: `select "id", "status", "total_cents", "freight", "order_date", "ship_city" from "main"."orders" where "main"."orders"."id" = $1`,
    params: ownKeys.map((key) => [key]),
    byHand:
      'select id, status, total_cents, freight, order_date, ship_city from orders where id = ? and owner = ?',
    rows: 1,
  },
  {
    name: 'W2',
    title: `${pageSize} rows x 8`,
    sql: `select "id", "owner", "status", "total_cents", "freight", "order_date", "ship_city", "is_gift" from "main"."orders" where "main"."orders"."id" > $1 order by "main"."orders"."id" limit ${pageSize}`,
    params: ownKeys.map((key) => [key]),
    byHand: `select id, owner, status, total_cents, freight, order_date, ship_city, is_gift from orders where id > ? and owner = ? order by id limit ${pageSize}`,
    rows: pageSize,
  },
  {
    name: 'W3',
    title: 'insert returning',
    sql: 'insert into "main"."notes" ("owner", "body") values ($1, $2) returning "id", "owner", "body", "priority", "is_pinned", "created_at"',
    params: [[owner, 'Call back on Monday.']],
    byHand:
      'insert into notes (owner, body) values (?, ?) returning id, owner, body, priority, is_pinned, created_at',
    rows: 1,
  },
  {
    name: 'W4',
    title: `group by ${sizes.own / 1_000}k rows`,
    sql: 'select "status", count(*), sum("total_cents") from "main"."orders" group by "status" order by "status"',
    params: [[]],
    byHand:
      'select status, count(*), sum(total_cents) from orders where owner = ? group by status order by status',
    rows: statuses.length,
  },
]

/** The values of a statement by hand. */
export function valuesByHand(
  { name }: Pick<Workload, 'name'>,
  params: readonly (number | string)[],
): readonly (number | string)[] {
  return name === 'W3' ? params : [...params, owner]
}

export function bodyOf({ sql }: Workload, params: readonly (number | string)[]): string {
  return JSON.stringify({ sql, params, method: 'all' })
}
