/** @module The configuration of the shop: what a program that answers questions may read. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ConfigFile, defineConfig } from '@engine/server'

/** @param folder where the databases are. */
export function shopConfig(folder: string, masterKey: string): ConfigFile {
  const file = join(folder, 'shop.db')
  createTables(file)
  return defineConfig({
    // Whatever a permission says by mistake: nothing is written to this connection.
    connections: { main: { url: file, readOnly: true } },
    service_db: join(folder, 'engine.db'),
    masterKey,
    // Few rows and little time for each question, and some questions a minute.
    limits: { maxRows: 50, queryTimeout: 2_000, rateLimitPerUser: 120 },
    audit: { enabled: true },
    permissions: {
      products: { table: 'main.products', roles: ['agent'], select: {} },
      // Neither names nor addresses, and nothing of customers who object.
      customers: {
        table: 'main.customers',
        roles: ['agent'],
        select: { columns: ['id', 'country'], where: { objects: false } },
      },
    },
  })
}

function createTables(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`
    create table products (id integer primary key, name text not null, price decimal(10, 2) not null);
    insert into products values (1, 'Tea', 4.50), (2, 'Coffee', 7.90);
    create table customers (id integer primary key, name text, email text, country text, objects boolean not null);
    insert into customers values
      (1, 'Ann', 'ann@example.com', 'NO', false),
      (2, 'Bob', 'bob@example.com', 'NO', false),
      (3, 'Cy', 'cy@example.com', 'PT', true);
  `)
  database.close()
}
