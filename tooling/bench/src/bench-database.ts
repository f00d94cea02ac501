import { randomBytes } from 'node:crypto'
import { createPostgresFixture } from '@engine/fixtures'
import { createDatabase, dropDatabases, findPostgres, startPostgres } from '@engine/test-databases'
import pg from 'pg'

/** A database with the shop in the schema `main` and the table `bench.orders`. */
export interface BenchDatabase {
  readonly url: string
  stop(): Promise<void>
}

/** Number of rows of `bench.orders`, and of their tenants. */
export const sizes = { orders: 20_000, tenants: 50 } as const

const ordersSql = `
create schema bench;
create table bench.orders (
  id integer primary key,
  tenant_id integer not null,
  status text not null,
  total_cents bigint not null,
  freight numeric(10,2),
  order_date timestamp not null,
  ship_city text,
  is_gift boolean not null
);
insert into bench.orders
select
  n,
  n % ${sizes.tenants},
  (array['new', 'paid', 'shipped', 'cancelled'])[n % 4 + 1],
  n * 37 % 100000,
  (n * 13 % 5000) / 100.0,
  timestamp '2024-01-01' + n * interval '7 minutes',
  case when n % 9 = 0 then null else 'City ' || n % 200 end,
  n % 3 = 0
from generate_series(1, ${sizes.orders}) as n;
create index on bench.orders (tenant_id, id);
`

/** On the server that TEST_POSTGRES_URL names, otherwise on a private one. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  const source = findPostgres()
  if (source.kind !== 'url') {
    const server = await startPostgres()
    return { url: await fill(await createDatabase(server.url, 'bench')), stop: server.stop }
  }
  const prefix = `engine_bench_${randomBytes(4).toString('hex')}_`
  return {
    url: await fill(await createDatabase(source.url, 'bench', prefix)),
    stop: () => dropDatabases(source.url, prefix),
  }
}

async function fill(url: string): Promise<string> {
  await createPostgresFixture(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(ordersSql)
  await client.query('vacuum analyze bench.orders')
  await client.end()
  return url
}
