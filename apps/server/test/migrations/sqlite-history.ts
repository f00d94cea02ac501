/** @module Changes of a SQLite schema as Prisma, drizzle-kit, Rails and Django write them: most of them copy a table. */
import { commonProbes, withCommon } from './common-probes.ts'
import type { History, Migration } from './migration.ts'

const start = `
create table customers (id integer primary key, name varchar(80) not null, code text not null, age integer);
insert into customers values (1, 'Ada', '17', 36), (2, 'Bob', '23', 20);
create table orders (
  id integer primary key, customer_id integer not null references customers (id),
  status text not null default 'new' check (status in ('new', 'paid')), quantity integer not null default 1,
  payload text not null);
insert into orders values (1, 1, 'new', 2, '{"k":"v"}'), (2, 2, 'paid', 1, '{"k":"w"}');
create view totals as select customer_id, sum(quantity) as total from orders group by customer_id;
create table events (id integer primary key autoincrement, status text not null, note text);
`

const columnsOfOrders = 'id, customer_id, status, quantity, payload'

const migrations: readonly Migration[] = [
  {
    name: 'Prisma: add a column',
    sql: 'ALTER TABLE "orders" ADD COLUMN "discount" INTEGER NOT NULL DEFAULT 5',
  },
  {
    name: 'Rails: add an index',
    sql: 'CREATE INDEX "index_orders_on_customer_id" ON "orders" ("customer_id")',
  },
  {
    name: 'Django: copy a table for another check',
    sql: `PRAGMA foreign_keys = OFF; BEGIN;
DROP VIEW totals;
CREATE TABLE "new__orders" (
  id integer primary key, customer_id integer not null references customers (id),
  status text not null default 'new' check (status in ('new', 'paid', 'shipped')), quantity integer not null default 1,
  payload text not null, discount integer not null default 5);
INSERT INTO "new__orders" (${columnsOfOrders}, discount) SELECT ${columnsOfOrders}, discount FROM "orders";
DROP TABLE "orders";
ALTER TABLE "new__orders" RENAME TO "orders";
CREATE VIEW totals AS SELECT customer_id, sum(quantity) AS total FROM orders GROUP BY customer_id;
COMMIT; PRAGMA foreign_keys = ON`,
  },
  {
    name: 'Rails: rename a column',
    sql: 'ALTER TABLE "orders" RENAME COLUMN "quantity" TO "amount"',
  },
  {
    name: 'Prisma: text to integer',
    sql: `PRAGMA defer_foreign_keys = ON; PRAGMA foreign_keys = OFF;
CREATE TABLE "new_customers" (id integer primary key, name varchar(80) not null, code integer not null, age integer);
INSERT INTO "new_customers" SELECT id, name, cast(code as integer), age FROM "customers";
DROP TABLE "customers";
ALTER TABLE "new_customers" RENAME TO "customers";
PRAGMA foreign_keys = ON`,
  },
  { name: 'drizzle: drop a column', sql: 'ALTER TABLE `orders` DROP COLUMN `discount`' },
  {
    name: 'drizzle: the column again as text',
    sql: "ALTER TABLE `orders` ADD `discount` text DEFAULT 'none' NOT NULL",
  },
  {
    name: 'by hand: another view of the name',
    sql: `DROP VIEW totals; CREATE VIEW totals AS SELECT customer_id, 'about ' || sum(amount) AS total FROM orders GROUP BY customer_id`,
  },
  {
    name: 'by hand: a table instead of the view',
    sql: 'BEGIN; DROP VIEW totals; CREATE TABLE totals (customer_id integer primary key, total integer); INSERT INTO totals VALUES (1, 7); COMMIT',
  },
  {
    name: 'Django: create a table',
    sql: `CREATE TABLE "shop_note" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "body" varchar(200) NOT NULL, "order_id" integer NOT NULL REFERENCES "orders" ("id") DEFERRABLE INITIALLY DEFERRED);
INSERT INTO shop_note (body, order_id) VALUES ('hello', 1)`,
  },
  { name: 'Rails: rename a table', sql: 'ALTER TABLE "shop_note" RENAME TO "remarks"' },
  {
    name: 'drizzle: a unique index',
    sql: 'CREATE UNIQUE INDEX `customers_code_unique` ON `customers` (`code`)',
  },
  { name: 'Prisma: drop an index', sql: 'DROP INDEX "customers_code_unique"' },
  {
    name: 'by hand: a generated column',
    sql: 'ALTER TABLE orders ADD COLUMN doubled integer GENERATED ALWAYS AS (amount * 2) VIRTUAL',
  },
  {
    name: 'by hand: a trigger',
    sql: `CREATE TRIGGER shouting AFTER INSERT ON events BEGIN UPDATE events SET note = upper(note) WHERE id = new.id; END`,
  },
  { name: 'by hand: no trigger', sql: 'DROP TRIGGER shouting' },
  {
    name: 'by hand: two columns change names',
    sql: `BEGIN; ALTER TABLE remarks ADD title text DEFAULT 'T'; ALTER TABLE remarks RENAME body TO x; ALTER TABLE remarks RENAME title TO body; ALTER TABLE remarks RENAME x TO title; COMMIT`,
  },
  { name: 'Rails: drop a table', sql: 'DROP TABLE "remarks"' },
]

export const sqliteHistory: History = {
  start,
  migrations,
  probes: withCommon(
    [
      {
        name: 'a checked value',
        sql: 'update main.orders set status = $1 where id = 2 returning status',
        params: ['shipped'],
        answers: { start: 'refused', 'Django: copy a table for another check': [['shipped']] },
      },
      {
        name: 'a view',
        sql: 'select total from main.totals where customer_id = 1',
        answers: {
          start: [['2']],
          'by hand: another view of the name': [['about 2']],
          'by hand: a table instead of the view': [['7']],
        },
      },
      {
        name: 'a conflict target',
        sql: "insert into main.customers (id, name, code, age) values (1, 'Ada', 17, 36) on conflict (code) do nothing returning id",
        answers: {
          start: 'refused',
          'drizzle: a unique index': [],
          'Prisma: drop an index': 'refused',
        },
      },
      {
        name: 'a generated column',
        sql: 'select doubled from main.orders where id = 1',
        answers: { start: 'refused', 'by hand: a generated column': [['4']] },
      },
      {
        name: 'a write',
        sql: 'insert into main.events (status, note) values ($1, $2) returning status',
        params: ['new', 'x'],
        answers: { start: [['new']] },
      },
      {
        name: 'own rows',
        sql: 'select id, status from main.orders order by id',
        caller: 'clerk',
        answers: { start: [['1', 'new']] },
      },
    ],
    commonProbes,
  ),
}
