import type { Config } from '@engine/core'
import { expect } from 'vitest'
import type { OpenDatabase, TestDatabase } from './databases.ts'
import { openGateway, type TestAnswer, type TestGateway } from './gateway.ts'
import { bearer, secret } from './tokens.ts'

/** Two tenants: the rows of `acme` are 1 to 4, those of `umbra` 5 to 8. Order 4 and customer 2 have NULLs. */
const tables = `
create table customers (
  id integer primary key,
  name text not null,
  city text,
  tenant text not null,
  email text unique
);
create table orders (
  id integer primary key,
  customer_id integer not null references customers (id),
  tenant text not null,
  status text not null default 'new',
  total integer not null default 0,
  notes text,
  code text unique,
  placed timestamp
);
create table order_lines (
  order_id integer not null references orders (id) on delete cascade,
  position integer not null,
  product text not null,
  primary key (order_id, position)
);
create table tags (id integer primary key, name text not null);
create table order_tags (
  order_id integer not null references orders (id) on delete cascade,
  tag_id integer not null references tags (id),
  primary key (order_id, tag_id)
);
create table members (id integer primary key, tenant text not null, who text not null);
create table feedback (
  id integer primary key,
  body text not null,
  tenant text,
  level integer not null default 3
);
`

const rows = `
insert into customers (id, name, city, tenant, email) values
  (1, 'Ada', 'Oslo', 'acme', 'ada@acme.example'),
  (2, 'Bob', null, 'acme', null),
  (3, 'Cy', 'Rome', 'umbra', 'cy@umbra.example'),
  (4, 'Di', 'Oslo', 'umbra', null);
insert into orders (id, customer_id, tenant, status, total, notes, code, placed) values
  (1, 1, 'acme', 'new', 10, 'first', 'A1', '2024-01-01 10:00:00'),
  (2, 1, 'acme', 'paid', 20, 'second 100%', 'A2', '2024-02-01 10:00:00'),
  (3, 2, 'acme', 'paid', 30, 'Third', 'A3', '2024-03-01 10:00:00'),
  (4, 2, 'acme', 'shipped', 40, null, null, null),
  (5, 3, 'umbra', 'new', 0, 'CANARY-5', 'U5', '2024-01-01 10:00:00'),
  (6, 3, 'umbra', 'paid', 0, 'CANARY-6', 'U6', '2024-02-01 10:00:00'),
  (7, 4, 'umbra', 'paid', 2000000000, 'CANARY-7', 'U7', '2024-03-01 10:00:00'),
  (8, 4, 'umbra', 'shipped', -1, null, null, null);
insert into order_lines (order_id, position, product) values
  (1, 1, 'tea'), (1, 2, 'cup'), (2, 1, 'tea'), (3, 1, 'pot'),
  (5, 1, 'CANARY-tea'), (6, 1, 'tea');
insert into tags (id, name) values (1, 'vip'), (2, 'late');
insert into order_tags (order_id, tag_id) values (1, 1), (2, 1), (2, 2), (5, 1);
insert into members (id, tenant, who) values (1, 'acme', 'ada'), (2, 'umbra', 'cy'), (3, 'acme', 'eve');
insert into feedback (id, body, tenant) values (1, 'good', 'acme'), (2, 'CANARY-bad', 'umbra');
`

const emptied = ['feedback', 'members', 'order_tags', 'tags', 'order_lines', 'orders', 'customers']
  .map((table) => `delete from ${table};`)
  .join('\n')

/** Claims of a token; without them there is no token. */
export type Claims = Readonly<Record<string, unknown>>

/** A clerk of each tenant. */
export const acme: Claims = { roles: ['clerk'], tenant: 'acme', name: 'ada' }
export const umbra: Claims = { roles: ['clerk'], tenant: 'umbra', name: 'cy' }

/** `where` for rows of the caller's tenant. */
export const mine = { tenant: '$user.tenant' }

export const masterKey = 'the master key of thirty-two bytes or more'

/** A database with two tenants, and engines with different permissions on it. */
export interface PermissionWorld {
  readonly database: TestDatabase
  /** An engine with these permissions; closed with the world. */
  open(
    permissions: Readonly<Record<string, unknown>>,
    options?: WorldOptions,
  ): Promise<PermissionGateway>
  /** Restores every row. */
  reset(): Promise<void>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly isDevelopment?: boolean
  readonly config?: Partial<Config>
}

export interface PermissionGateway {
  readonly gateway: TestGateway
  ask(claims: Claims | undefined, sql: string, params?: readonly unknown[]): Promise<TestAnswer>
  /** The rows of an answer that must be 200. */
  rows(claims: Claims | undefined, sql: string, params?: readonly unknown[]): Promise<unknown>
  /** Status and error code. */
  refusal(
    claims: Claims | undefined,
    sql: string,
    params?: readonly unknown[],
  ): Promise<readonly [number, unknown]>
  /** Runs before the world exists; running it several times does no harm. */
  close(): Promise<void>
}

export async function createWorld(open: OpenDatabase, more = ''): Promise<PermissionWorld> {
  const database = await open(tables + rows + more)
  const gateways = new Set<TestGateway>()
  return {
    database,
    open: async (permissions, { isDevelopment = true, config = {} } = {}) => {
      const gateway = await openGateway(
        {
          connections: { main: database.url },
          auth: { secret },
          masterKey,
          permissions: permissions as NonNullable<Config['permissions']>,
          ...config,
        },
        { isDevelopment },
      )
      gateways.add(gateway)
      const close = async () => {
        if (gateways.delete(gateway)) await gateway.close()
      }
      return { ...permissionGateway(gateway), close }
    },
    reset: () => database.run(emptied + rows),
    close: async () => {
      for (const gateway of gateways) await gateway.close()
      await database.remove()
    },
  }
}

export function permissionGateway(gateway: TestGateway): Omit<PermissionGateway, 'close'> {
  const ask: PermissionGateway['ask'] = async (claims, sql, params = []) =>
    gateway.data({ sql, params, method: 'all' }, claims === undefined ? {} : await bearer(claims))
  return {
    gateway,
    ask,
    rows: async (claims, sql, params) => {
      const { status, body } = await ask(claims, sql, params)
      expect(status === 200 ? status : { status, body, sql }).toBe(200)
      return (body as { readonly rows: unknown }).rows
    },
    refusal: async (claims, sql, params) => {
      const { status, body } = await ask(claims, sql, params)
      return [status, (body as { readonly error?: unknown }).error]
    },
  }
}
