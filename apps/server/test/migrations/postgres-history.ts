/** @module Changes of a PostgreSQL schema as Prisma, drizzle-kit, Rails and Django write them, and by hand. */
import { commonProbes, numberProbes, withCommon } from './common-probes.ts'
import type { History, Migration } from './migration.ts'

/** Settings of the role for this database alone: other tests use the role at the same time. */
function inThisDatabase(...settings: readonly string[]): string {
  const each = settings.map(
    (setting) =>
      `execute format('alter role current_user in database %I ${setting.replaceAll("'", "''")}', current_database());`,
  )
  return `DO $$ begin ${each.join(' ')} end $$`
}

const start = `
create type order_status as enum ('new', 'paid');
create table customers (
  id integer primary key, name varchar(80) not null, code text not null, age integer, secret text);
insert into customers values (1, 'Ada', '17', 36, 's1'), (2, 'Bob', '23', 20, 's2');
create table orders (
  id integer primary key, customer_id integer not null references customers (id),
  status order_status not null default 'new', quantity integer not null default 1,
  total numeric(10,2) not null, payload text not null, ref bigint not null,
  placed timestamp not null default '2026-01-01 10:00:00');
insert into orders values
  (1, 1, 'new', 2, 10.50, '{"k":"v"}', 7000000000, '2026-01-01 10:00:00'),
  (2, 2, 'paid', 1, 99.99, '{"k":"w"}', 8, '2026-01-02 11:00:00');
create view totals as select customer_id, sum(total) as total from orders group by customer_id;
create table events (id bigserial primary key, status order_status not null, note text);
`

const migrations: readonly Migration[] = [
  {
    name: 'Prisma: add a column',
    sql: 'ALTER TABLE "orders" ADD COLUMN "discount" INTEGER NOT NULL DEFAULT 5',
  },
  {
    name: 'drizzle: add an array column',
    sql: `ALTER TABLE "orders" ADD COLUMN "tags" text[] DEFAULT '{"a"}' NOT NULL`,
  },
  {
    name: 'Rails: add an index',
    sql: 'CREATE INDEX "index_orders_on_customer_id" ON "orders" ("customer_id")',
  },
  {
    name: 'Prisma: replace an enum',
    sql: `BEGIN;
CREATE TYPE "order_status_new" AS ENUM ('new', 'paid', 'shipped');
ALTER TABLE "orders" ALTER COLUMN "status" DROP DEFAULT;
ALTER TABLE "orders" ALTER COLUMN "status" TYPE "order_status_new" USING ("status"::text::"order_status_new");
ALTER TABLE "events" ALTER COLUMN "status" TYPE "order_status_new" USING ("status"::text::"order_status_new");
ALTER TYPE "order_status" RENAME TO "order_status_old";
ALTER TYPE "order_status_new" RENAME TO "order_status";
DROP TYPE "order_status_old";
ALTER TABLE "orders" ALTER COLUMN "status" SET DEFAULT 'new';
COMMIT`,
  },
  { name: 'drizzle: add an enum value', sql: `ALTER TYPE "order_status" ADD VALUE 'returned'` },
  {
    name: 'Rails: rename an enum value',
    sql: `ALTER TYPE "order_status" RENAME VALUE 'paid' TO 'settled'`,
  },
  {
    name: 'Rails: rename a column',
    sql: 'ALTER TABLE "orders" RENAME COLUMN "quantity" TO "amount"',
  },
  {
    name: 'Django: integer to bigint',
    sql: 'ALTER TABLE "orders" ALTER COLUMN "amount" TYPE bigint USING "amount"::bigint',
  },
  {
    name: 'by hand: text to jsonb',
    sql: 'ALTER TABLE "orders" ALTER COLUMN "payload" TYPE jsonb USING "payload"::jsonb',
  },
  {
    name: 'Prisma: text to integer',
    sql: 'ALTER TABLE "customers" ALTER COLUMN "code" SET DATA TYPE INTEGER USING "code"::integer',
  },
  { name: 'by hand: bigint to text', sql: 'ALTER TABLE orders ALTER COLUMN ref TYPE text' },
  {
    name: 'Rails: varchar to text',
    sql: 'DROP VIEW totals; ALTER TABLE "customers" ALTER COLUMN "name" TYPE text',
  },
  {
    name: 'Django: wider decimal',
    sql: `ALTER TABLE "orders" ALTER COLUMN "total" TYPE numeric(12, 4) USING "total"::numeric(12, 4);
CREATE VIEW totals AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id`,
  },
  {
    name: 'Django: timestamp to timestamptz',
    sql: `ALTER TABLE "orders" ALTER COLUMN "placed" TYPE timestamp with time zone USING "placed" AT TIME ZONE 'UTC'`,
  },
  { name: 'Rails: null allowed', sql: 'ALTER TABLE "events" ALTER COLUMN "status" DROP NOT NULL' },
  { name: 'drizzle: not null', sql: `ALTER TABLE "customers" ALTER COLUMN "age" SET NOT NULL` },
  {
    name: 'Prisma: other default',
    sql: `ALTER TABLE "orders" ALTER COLUMN "discount" SET DEFAULT 7`,
  },
  {
    name: 'drizzle: drop a column',
    sql: 'ALTER TABLE "orders" DROP COLUMN "discount"',
  },
  {
    name: 'drizzle: the column again as text',
    sql: `ALTER TABLE "orders" ADD COLUMN "discount" TEXT NOT NULL DEFAULT 'none'`,
  },
  {
    name: 'by hand: replace a view',
    sql: 'CREATE OR REPLACE VIEW totals AS SELECT customer_id, sum(total) AS total, count(*) AS orders FROM orders GROUP BY customer_id',
  },
  {
    name: 'by hand: another view of the name',
    sql: `DROP VIEW totals; CREATE VIEW totals AS SELECT customer_id, 'about ' || round(sum(total)) AS total FROM orders GROUP BY customer_id`,
  },
  {
    name: 'by hand: a materialized view instead',
    sql: 'DROP VIEW totals; CREATE MATERIALIZED VIEW totals AS SELECT customer_id, count(*) AS total FROM orders GROUP BY customer_id',
  },
  {
    name: 'Django: create a table',
    sql: `CREATE TABLE "shop_note" ("id" bigint NOT NULL PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, "body" varchar(200) NOT NULL, "order_id" integer NOT NULL);
ALTER TABLE "shop_note" ADD CONSTRAINT "shop_note_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "orders" ("id") DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX "shop_note_order_id" ON "shop_note" ("order_id");
INSERT INTO shop_note (body, order_id) VALUES ('hello', 1)`,
  },
  { name: 'Rails: rename a table', sql: 'ALTER TABLE "shop_note" RENAME TO "remarks"' },
  {
    name: 'drizzle: a unique constraint',
    sql: 'ALTER TABLE "customers" ADD CONSTRAINT "customers_code_unique" UNIQUE("code")',
  },
  {
    name: 'Rails: rename a constraint',
    sql: 'ALTER TABLE "customers" RENAME CONSTRAINT "customers_code_unique" TO "code_key"',
  },
  { name: 'Prisma: drop a constraint', sql: 'ALTER TABLE "customers" DROP CONSTRAINT "code_key"' },
  {
    name: 'Django: a check constraint',
    sql: 'ALTER TABLE "customers" ADD CONSTRAINT "age_positive" CHECK ("age" >= 0)',
  },
  {
    name: 'by hand: a domain',
    sql: `CREATE DOMAIN years AS integer CHECK (value < 200); ALTER TABLE customers ALTER COLUMN age TYPE years`,
  },
  {
    name: 'by hand: a check of the domain',
    sql: 'ALTER DOMAIN years ADD CONSTRAINT sane CHECK (value < 150)',
  },
  {
    name: 'by hand: no domain',
    sql: 'ALTER TABLE customers ALTER COLUMN age TYPE integer; DROP DOMAIN years',
  },
  {
    name: 'by hand: row security',
    sql: `ALTER TABLE remarks ENABLE ROW LEVEL SECURITY; CREATE POLICY all_of_them ON remarks USING (true)`,
  },
  {
    name: 'by hand: drop the policy',
    sql: 'DROP POLICY all_of_them ON remarks; ALTER TABLE remarks DISABLE ROW LEVEL SECURITY',
  },
  {
    name: 'by hand: to another schema',
    sql: 'CREATE SCHEMA archive; ALTER TABLE remarks SET SCHEMA archive',
  },
  { name: 'by hand: back again', sql: 'ALTER TABLE archive.remarks SET SCHEMA public' },
  {
    name: 'by hand: partitions',
    sql: `BEGIN;
ALTER TABLE events RENAME TO events_old;
CREATE TABLE events (id bigint not null default nextval('events_id_seq'), status order_status, note text) PARTITION BY RANGE (id);
CREATE TABLE events_first PARTITION OF events FOR VALUES FROM (minvalue) TO (1000);
CREATE TABLE events_rest PARTITION OF events FOR VALUES FROM (1000) TO (maxvalue);
INSERT INTO events SELECT * FROM events_old;
ALTER SEQUENCE events_id_seq OWNED BY events.id;
DROP TABLE events_old;
COMMIT`,
  },
  {
    name: 'Prisma: a generated column',
    sql: 'ALTER TABLE "orders" ADD COLUMN "doubled" numeric GENERATED ALWAYS AS (total * 2) STORED',
  },
  {
    name: 'by hand: swap two tables',
    sql: `CREATE TABLE customers_new (id integer primary key, name text not null, code integer not null, age integer not null, secret text, city text default 'Oslo');
BEGIN;
INSERT INTO customers_new (id, name, code, age, secret) SELECT id, name, code, age, secret FROM customers;
ALTER TABLE orders DROP CONSTRAINT orders_customer_id_fkey;
ALTER TABLE customers RENAME TO customers_old;
ALTER TABLE customers_new RENAME TO customers;
ALTER TABLE orders ADD FOREIGN KEY (customer_id) REFERENCES customers (id);
COMMIT;
DROP TABLE customers_old`,
  },
  {
    name: 'Rails: identity instead of a sequence',
    sql: `ALTER TABLE remarks ALTER COLUMN id DROP IDENTITY; CREATE SEQUENCE remarks_id_seq OWNED BY remarks.id; SELECT setval('remarks_id_seq', 100); ALTER TABLE remarks ALTER COLUMN id SET DEFAULT nextval('remarks_id_seq')`,
  },
  {
    name: 'by hand: a trigger',
    sql: `CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS 'begin new.body = upper(new.body); return new; end';
CREATE TRIGGER shouting BEFORE INSERT OR UPDATE ON remarks FOR EACH ROW EXECUTE FUNCTION shout()`,
  },
  { name: 'by hand: no trigger', sql: 'DROP FUNCTION shout CASCADE' },
  {
    name: 'by hand: settings of the role',
    sql: inThisDatabase('SET search_path = archive', `SET datestyle = 'SQL, DMY'`),
  },
  { name: 'by hand: usual settings', sql: inThisDatabase('RESET ALL') },
  {
    name: 'by hand: two columns change names',
    sql: `ALTER TABLE remarks ADD title text DEFAULT 'T'; BEGIN; ALTER TABLE remarks RENAME body TO x; ALTER TABLE remarks RENAME title TO body; ALTER TABLE remarks RENAME x TO title; COMMIT`,
  },
  { name: 'Rails: drop a table', sql: 'DROP TABLE "remarks"' },
]

export const postgresHistory: History = {
  start,
  migrations,
  probes: withCommon(
    [
      {
        name: 'all columns',
        sql: 'select * from main.customers where id = 1',
        answers: {
          start: [['1', 'Ada', '17', '36', 's1']],
          'by hand: swap two tables': [['1', 'Ada', '17', '36', 's1', 'Oslo']],
        },
      },
      {
        name: 'an array column',
        sql: 'select tags[1] from main.orders where id = 1',
        answers: { start: 'refused', 'drizzle: add an array column': [['a']] },
      },
      {
        name: 'an enum read',
        sql: 'select id, status from main.orders order by id',
        answers: {
          start: [
            ['1', 'new'],
            ['2', 'paid'],
          ],
          'Rails: rename an enum value': [
            ['1', 'new'],
            ['2', 'settled'],
          ],
        },
      },
      {
        name: 'an enum compared',
        sql: 'select id from main.orders where status = $1',
        params: ['new'],
        answers: { start: [['1']] },
      },
      {
        name: 'an enum compared with a renamed value',
        sql: 'select id from main.orders where status = $1',
        params: ['settled'],
        answers: { start: 'refused', 'Rails: rename an enum value': [['2']] },
      },
      {
        name: 'an enum written',
        sql: 'update main.orders set status = $1 where id = $2 returning status',
        params: ['new', '1'],
        answers: { start: [['new']] },
      },
      {
        name: 'an enum value of the new type',
        sql: 'insert into main.events (status, note) values ($1, $2) returning status',
        params: ['shipped', 'x'],
        answers: { start: 'refused', 'Prisma: replace an enum': [['shipped']] },
      },
      {
        name: 'an added enum value as a literal',
        sql: "insert into main.events (status) values ('returned') returning status",
        answers: { start: 'refused', 'drizzle: add an enum value': [['returned']] },
      },
      {
        name: 'text read and compared',
        sql: 'select payload ->> $1 from main.orders where id = 1',
        params: ['k'],
        answers: { start: 'refused', 'by hand: text to jsonb': [['v']] },
      },
      {
        name: 'text that is compared',
        sql: "select id from main.orders where payload like '%v%'",
        answers: { start: [['1']], 'by hand: text to jsonb': 'refused' },
      },
      {
        name: 'a text written where a number was',
        sql: "update main.orders set ref = 'x' where id = 3 returning id",
        answers: { start: 'refused', 'by hand: bigint to text': [] },
      },
      {
        name: 'a time',
        sql: 'select placed from main.orders where placed < $1',
        params: ['2026-01-02 00:00:00'],
        answers: {
          start: [['2026-01-01 10:00:00']],
          'Django: timestamp to timestamptz': [['2026-01-01 10:00:00+00']],
        },
      },
      {
        name: 'a view',
        sql: 'select total from main.totals where customer_id = 1',
        answers: {
          start: [['10.50']],
          'Rails: varchar to text': 'refused',
          'Django: wider decimal': [['10.5000']],
          'by hand: another view of the name': [['about 11']],
          'by hand: a materialized view instead': [['1']],
        },
      },
      {
        name: 'a column of a view',
        sql: 'select orders from main.totals where customer_id = 1',
        answers: {
          start: 'refused',
          'by hand: replace a view': [['1']],
          'by hand: another view of the name': 'refused',
        },
      },
      {
        name: 'a renamed table',
        sql: 'select n.body from main.orders o join main.remarks n on n.order_id = o.id',
        answers: {
          start: 'refused',
          'Rails: rename a table': [['hello']],
          'by hand: to another schema': 'refused',
          'by hand: back again': [['hello']],
          'by hand: two columns change names': [['T']],
          'Rails: drop a table': 'refused',
        },
      },
      {
        name: 'a conflict target',
        sql: "insert into main.customers (id, name, code, age) values (1, 'Ada', 17, 36) on conflict (code) do nothing returning id",
        answers: {
          start: 'refused',
          'drizzle: a unique constraint': [],
          'Prisma: drop a constraint': 'refused',
        },
      },
      {
        name: 'a named conflict target',
        sql: "insert into main.customers (id, name, code, age) values (1, 'Ada', 17, 36) on conflict on constraint code_key do nothing returning id",
        answers: {
          start: 'refused',
          'Rails: rename a constraint': [],
          'Prisma: drop a constraint': 'refused',
        },
      },
      {
        name: 'a reference to a missing row',
        sql: 'insert into main.remarks (body, order_id) values ($1, $2) returning body',
        params: ['new', '3'],
        answers: { start: 'refused' },
      },
      {
        name: 'a number of a domain',
        sql: 'select age from main.customers where age = $1',
        params: ['36'],
        answers: { start: [['36']] },
      },
      {
        name: 'a generated column',
        sql: 'select doubled from main.orders where id = 1',
        answers: { start: 'refused', 'Prisma: a generated column': [['21.0000']] },
      },
      {
        name: 'rows of a partitioned table',
        sql: 'select count(*) >= 0 from main.events',
        answers: { start: [['t']] },
      },
    ],
    commonProbes,
    numberProbes,
  ),
}
