import { createPostgresFixture, createSqliteFixture, portableTables } from '@engine/fixtures'
import Database from 'better-sqlite3'
import pg from 'pg'

/** Number of rows of the table `numbers`: too many to be buffered by accident. */
const numberCount = 100_000

/** The tables of `pgbench -i`, with fewer accounts; both databases read it. */
const benchSql = `
  create table {schema}pgbench_branches (bid integer not null primary key, bbalance integer, filler char(88));
  create table {schema}pgbench_tellers (tid integer not null primary key, bid integer, tbalance integer, filler char(84));
  create table {schema}pgbench_accounts (aid integer not null primary key, bid integer, abalance integer, filler char(84));
  create table {schema}pgbench_history
    (tid integer, bid integer, aid integer, delta integer, mtime timestamp, filler char(22));
  insert into {schema}pgbench_branches (bid, bbalance) values (1, 0);
  insert into {schema}pgbench_tellers (tid, bid, tbalance) select n, 1, 0 from {schema}numbers where n <= 10;
  insert into {schema}pgbench_accounts (aid, bid, abalance) select n, 1, 0 from {schema}numbers where n <= 5000;`

/** Tables that both fixtures have. */
export const wireTables: readonly string[] = [
  ...portableTables().map(({ table }) => table.name),
  'numbers',
  ...['accounts', 'branches', 'history', 'tellers'].map((name) => `pgbench_${name}`),
]

/**
 * Loads the shop into the schema `main` of an empty PostgreSQL database, and what wire clients look at besides: the table
 * `numbers`, those of pgbench, comments, an index. Clients find its tables without naming the schema.
 */
export async function createPostgresWireFixture(url: string): Promise<void> {
  await createPostgresFixture(url, 'main')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      create table main.numbers (n int4 primary key, label text);
      insert into main.numbers select n, 'number ' || n from generate_series(1, ${numberCount}) n;
      ${benchSql.replaceAll('{schema}', 'main.')}
      comment on table main.orders is 'What customers ordered';
      comment on column main.orders.freight is 'In euros';
      create index orders_customer_id_idx on main.orders (customer_id);
      analyze;
      do $$ begin
        execute format('alter database %I set search_path = main, public', current_database());
        execute format('alter database %I set jit = off', current_database());
        execute format('alter database %I set max_parallel_workers_per_gather = 0', current_database());
      end $$`)
  } finally {
    await client.end()
  }
}

/** The same, as far as SQLite can store it, into a new file. */
export function createSqliteWireFixture(path: string): void {
  createSqliteFixture(path)
  const database = new Database(path)
  database.exec(`
    create table numbers (n integer not null primary key, label text);
    with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${numberCount})
      insert into numbers select n, 'number ' || n from counted;
    ${benchSql.replaceAll('{schema}', '')}
    create index orders_customer_id_idx on orders (customer_id);
    analyze`)
  database.close()
}
