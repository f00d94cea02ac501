/** @module The engine behind the examples of the pages: a shop in SQLite, served for `https://data.example.com` in this process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '@engine/core'
import { createGateway, type Gateway } from '@engine/http'
import { transfer } from './transfer.ts'

/** The address and the credential that the pages have. */
export const address = 'https://data.example.com'
const keyOfPages = 'ek_a1b2c3'
const masterKey = 'a master key of at least thirty-two bytes'

const tables = `
create table users (id integer primary key, name text not null, country text not null);
create table customers (id integer primary key, name text not null, city text not null);
create table products (id integer primary key, name text not null, unit_price integer not null);
create table orders (
  id integer primary key,
  customer_id integer references customers (id),
  status text not null default 'new',
  notes text,
  total integer not null default 0,
  total_cents integer not null default 0
);
create table order_items (
  id integer primary key,
  order_id integer not null references orders (id),
  product_id integer not null references products (id),
  quantity integer not null
);
create table carts (id integer primary key, is_open boolean not null);
create table accounts (id integer primary key, owner text, balance integer not null);
create table "Todo" (id integer primary key, title text not null);
insert into users values (1, 'Anna', 'IE'), (2, 'Bob', 'GB');
insert into customers values (1, 'Nordwind', 'Oslo');
insert into products values (1, 'Lamp', 40);
insert into orders (id, customer_id, status) values (1, 1, 'new'), (7, 1, 'new');
insert into order_items values (1, 1, 1, 2);
insert into carts values (1, true);
insert into accounts values (1, null, 100), (2, null, 0);
insert into "Todo" values (1, 'Read the page');
`

const all = { select: {}, insert: {}, update: {}, delete: {} }
const names = ['users', 'customers', 'products', 'orders', 'order_items', 'carts', 'Todo']

export interface Shop {
  readonly gateway: Gateway
  readonly config: Config
  /** Makes account 1 the user's. */
  readonly giveAccount: (owner: string) => void
  readonly close: () => Promise<void>
}

export async function openShop(): Promise<Shop> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-page-'))
  const path = join(folder, 'shop.db')
  const database = new DatabaseSync(path)
  database.exec(tables)
  const config: Config = {
    connections: {
      main: {
        url: path,
        relationships: { orders: { order_items: { rename: 'items' } } },
      },
    },
    service_db: join(folder, 'engine.db'),
    masterKey,
    auth: { secret: 'a secret of at least thirty-two bytes' },
    schemaEndpoint: true,
    permissions: Object.fromEntries(
      names.map((table) => [table, { table: `main.${table}`, roles: ['user'], ...all }]),
    ),
    actions: { transfer },
  }
  const gateway = await createGateway(config)
  serveHere(gateway)
  return {
    gateway,
    config,
    giveAccount: (owner) => {
      database.prepare('update accounts set owner = ? where id = 1').run(owner)
    },
    close: async () => {
      await gateway.close()
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Requests to the address of the pages are answered by the gateway; the key of the pages is a key that it knows. */
function serveHere(gateway: Gateway): void {
  const ordinary = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.startsWith(address)) return ordinary(input, init)
    if (request.headers.get('authorization') === `Bearer ${keyOfPages}`) {
      request.headers.set('authorization', `Bearer ${masterKey}`)
    }
    return gateway.app.fetch(request)
  }
}
