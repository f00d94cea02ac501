/** @module The configuration of the shop: visitors read what is published, and nothing else. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '@engine/core'

/** @param folder where the databases are. */
export function shopConfig(folder: string): Config {
  const file = join(folder, 'shop.db')
  createTable(file)
  return {
    connections: { main: file },
    service_db: join(folder, 'service.db'),
    permissions: [
      {
        name: 'published-products',
        table: 'main.products',
        roles: ['anonymous'],
        select: { columns: ['id', 'name', 'price'], where: { published: true } },
      },
    ],
  }
}

function createTable(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`
    create table if not exists products (
      id integer primary key, name text not null, price integer not null, cost integer not null, published boolean not null
    );
    insert into products values (1, 'Lamp', 40, 11, true), (2, 'Chair', 90, 35, true), (3, 'Secret stool', 70, 20, false)
      on conflict do nothing;
  `)
  database.close()
}
