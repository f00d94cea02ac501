/** @module Changes of a MariaDB or MySQL schema as Prisma, drizzle-kit, Rails and Django write them. */
import { commonProbes, numberProbes, withCommon } from './common-probes.ts'
import type { History, Migration } from './migration.ts'

const start = `
create table customers (id int primary key, name varchar(80) not null, code varchar(20) not null, age int);
insert into customers values (1, 'Ada', '17', 36), (2, 'Bob', '23', 20);
create table orders (
  id int primary key, customer_id int not null, status enum('new', 'paid') not null default 'new',
  quantity int not null default 1, total decimal(10, 2) not null, ref bigint not null,
  placed datetime(6) not null default '2026-01-01 10:00:00');
alter table orders add constraint orders_customer foreign key (customer_id) references customers (id);
insert into orders values
  (1, 1, 'new', 2, 10.50, 7000000000, '2026-01-01 10:00:00'), (2, 2, 'paid', 1, 99.99, 8, '2026-01-02 11:00:00');
create view totals as select customer_id, sum(total) as total from orders group by customer_id;
create table events (id int primary key auto_increment, status enum('new', 'paid') not null, note varchar(100));
`

const migrations: readonly Migration[] = [
  {
    name: 'Prisma: add a column',
    sql: 'ALTER TABLE `orders` ADD COLUMN `discount` INTEGER NOT NULL DEFAULT 5',
  },
  {
    name: 'Rails: add an index',
    sql: 'CREATE INDEX `index_orders_on_status` ON `orders` (`status`)',
  },
  {
    name: 'drizzle: add an enum value',
    sql: "ALTER TABLE `orders` MODIFY COLUMN `status` enum('new','paid','shipped') NOT NULL DEFAULT 'new'; ALTER TABLE `events` MODIFY COLUMN `status` enum('new','paid','shipped') NOT NULL",
  },
  {
    name: 'Rails: rename a column',
    sql: 'ALTER TABLE `orders` RENAME COLUMN `quantity` TO `amount`',
  },
  {
    name: 'Django: integer to bigint',
    sql: 'ALTER TABLE `orders` MODIFY `amount` bigint NOT NULL DEFAULT 1',
  },
  {
    name: 'Prisma: text to integer',
    sql: 'ALTER TABLE `customers` MODIFY `code` INTEGER NOT NULL',
  },
  { name: 'by hand: bigint to text', sql: 'ALTER TABLE orders MODIFY ref varchar(40) NOT NULL' },
  { name: 'Rails: varchar to text', sql: 'ALTER TABLE `customers` MODIFY `name` text NOT NULL' },
  {
    name: 'Django: wider decimal',
    sql: 'ALTER TABLE `orders` MODIFY `total` decimal(12, 4) NOT NULL',
  },
  { name: 'Rails: null allowed', sql: 'ALTER TABLE `events` MODIFY `note` varchar(200) NULL' },
  { name: 'drizzle: drop a column', sql: 'ALTER TABLE `orders` DROP COLUMN `discount`' },
  {
    name: 'drizzle: the column again as text',
    sql: "ALTER TABLE `orders` ADD `discount` varchar(20) DEFAULT 'none' NOT NULL",
  },
  {
    name: 'by hand: another view of the name',
    sql: "CREATE OR REPLACE VIEW totals AS SELECT customer_id, concat('about ', round(sum(total))) AS total FROM orders GROUP BY customer_id",
  },
  { name: 'by hand: drop the view', sql: 'DROP VIEW totals' },
  {
    name: 'by hand: a table instead of the view',
    sql: 'CREATE TABLE totals AS SELECT 1 AS customer_id, 7 AS total',
  },
  {
    name: 'Django: create a table',
    sql: 'CREATE TABLE `shop_note` (`id` bigint AUTO_INCREMENT NOT NULL PRIMARY KEY, `body` varchar(200) NOT NULL, `order_id` int NOT NULL); ALTER TABLE `shop_note` ADD CONSTRAINT `shop_note_order_id_fk` FOREIGN KEY (`order_id`) REFERENCES `orders` (`id`)',
  },
  // By itself: MySQL commits each change of a schema.
  {
    name: 'Django: a first row',
    sql: "INSERT INTO shop_note (body, order_id) VALUES ('hello', 1)",
  },
  { name: 'Rails: rename a table', sql: 'RENAME TABLE `shop_note` TO `remarks`' },
  {
    name: 'drizzle: a unique index',
    sql: 'CREATE UNIQUE INDEX `customers_code_unique` ON `customers` (`code`)',
  },
  { name: 'Prisma: drop an index', sql: 'DROP INDEX `customers_code_unique` ON `customers`' },
  {
    name: 'by hand: a generated column',
    sql: 'ALTER TABLE orders ADD COLUMN doubled decimal(14, 4) AS (total * 2) STORED',
  },
  {
    name: 'by hand: two columns change names',
    sql: "ALTER TABLE remarks ADD title varchar(200) DEFAULT 'T', RENAME COLUMN body TO x; ALTER TABLE remarks RENAME COLUMN title TO body, RENAME COLUMN x TO title",
  },
  { name: 'Rails: drop a table', sql: 'DROP TABLE `remarks`' },
]

export const mysqlHistory: History = {
  start,
  migrations,
  probes: withCommon(
    [
      {
        name: 'an enum value',
        sql: 'insert into main.events (status, note) values ($1, $2) returning status',
        params: ['shipped', 'x'],
        answers: { start: 'refused', 'drizzle: add an enum value': [['shipped']] },
      },
      {
        name: 'a view',
        sql: 'select total from main.totals where customer_id = 1',
        answers: {
          start: [['10.50']],
          'Django: wider decimal': [['10.5000']],
          'by hand: another view of the name': [['about 11']],
          'by hand: drop the view': 'refused',
          'by hand: a table instead of the view': [['7']],
        },
      },
      {
        name: 'a new table',
        sql: 'select body from main.shop_note',
        answers: {
          start: 'refused',
          'Django: create a table': [],
          'Django: a first row': [['hello']],
          'Rails: rename a table': 'refused',
        },
      },
      {
        name: 'a generated column',
        sql: 'select doubled from main.orders where id = 1',
        answers: { start: 'refused', 'by hand: a generated column': [['21.0000']] },
      },
    ],
    commonProbes,
    numberProbes,
  ),
}
