import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createRandom } from './demo-random.ts'
import * as words from './demo-words.ts'

const schema = `
create table categories (id integer primary key, name text not null unique, description text);
create table products (
  id integer primary key,
  name text not null,
  sku varchar(20) not null unique,
  category_id integer references categories (id),
  unit_price decimal(10,2) not null check (unit_price >= 0),
  cost decimal(12,4),
  units_in_stock integer not null default 0,
  discontinued boolean not null default false,
  created_at timestamp not null default current_timestamp
);
create table customers (
  id integer primary key,
  company_name text not null,
  contact_name text,
  email varchar(120) unique,
  city text,
  country text not null,
  credit_limit decimal(10,2),
  active boolean not null default true,
  created_at timestamp not null default current_timestamp
);
create table employees (
  id integer primary key,
  first_name text not null,
  last_name text not null,
  title text,
  manager_id integer references employees (id),
  hired_on date not null,
  salary decimal(10,2) not null,
  active boolean not null default true
);
create table orders (
  id integer primary key,
  customer_id integer not null references customers (id),
  employee_id integer references employees (id),
  status text not null default 'new',
  freight decimal(10,2),
  total_cents bigint not null default 0,
  order_date timestamp not null default current_timestamp,
  shipped_on date,
  ship_city text,
  notes text
);
create index orders_customer on orders (customer_id);
create table accounts (
  id text primary key,
  email text not null unique,
  name text,
  role text not null default 'customer',
  customer_id integer references customers (id),
  employee_id integer references employees (id)
);
create table order_items (
  order_id integer not null references orders (id) on delete cascade,
  product_id integer not null references products (id),
  quantity integer not null default 1 check (quantity > 0),
  unit_price decimal(10,2) not null,
  discount decimal(4,2) not null default 0,
  primary key (order_id, product_id)
);
`

/** Number of rows in the demo; some thousand in all, the same at every start. */
const counts = { products: 120, customers: 90, employees: 9, orders: 1_200 }

/** Writes the demo shop to `path`, and replaces an existing file. */
export function createDemoDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  const database = new Database(path)
  try {
    database.pragma('journal_mode = WAL')
    database.exec(schema)
    database.transaction(fill)(database)
  } finally {
    database.close()
  }
}

/** Everything but accounts, which are those of people who are signed in; the order is that of references. */
const resetTables = ['order_items', 'orders', 'employees', 'customers', 'products', 'categories']

/** Makes the rows what they were, in one transaction: readers see the old ones or the new ones. */
export function resetDemoRows(path: string): void {
  const database = new Database(path, { timeout: 10_000 })
  try {
    // Accounts refer to rows that are deleted and come back.
    database.pragma('foreign_keys = off')
    database
      .transaction(() => {
        for (const table of resetTables) database.exec(`delete from ${table}`)
        fill(database)
      })
      .immediate()
  } finally {
    database.close()
  }
}

function fill(database: Database.Database): void {
  const random = createRandom(20_240_115)
  const insert = (table: string, columns: readonly string[]) => {
    const marks = columns.map(() => '?').join(', ')
    const statement = database.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${marks})`,
    )
    return (...values: readonly (string | number | null)[]) => void statement.run(...values)
  }
  const category = insert('categories', ['id', 'name', 'description'])
  for (const [i, [name, description]] of words.categories.entries()) {
    category(i + 1, name, description)
  }
  const prices = fillProducts(insert, random)
  fillPeople(insert, random)
  fillOrders(insert, random, prices)
}

type Insert = (
  table: string,
  columns: readonly string[],
) => (...values: readonly (string | number | null)[]) => void
type Random = ReturnType<typeof createRandom>

function fillProducts(insert: Insert, random: Random): readonly number[] {
  const product = insert('products', [
    'id',
    'name',
    'sku',
    'category_id',
    'unit_price',
    'cost',
    'units_in_stock',
    'discontinued',
    'created_at',
  ])
  return Array.from({ length: counts.products }, (_, i) => {
    const cents = random.integer(150, 9_900)
    const name = `${random.pick(words.adjectives)} ${random.pick(words.goods)}`
    product(
      i + 1,
      name,
      `SKU-${String(i + 1).padStart(4, '0')}`,
      random.integer(1, words.categories.length),
      cents / 100,
      Math.round(cents * 6) / 1_000,
      random.integer(0, 200),
      random.chance(0.08) ? 1 : 0,
      random.timestamp(2021, 2023),
    )
    return cents
  })
}

function fillPeople(insert: Insert, random: Random): void {
  const customer = insert('customers', [
    'id',
    'company_name',
    'contact_name',
    'email',
    'city',
    'country',
    'credit_limit',
    'active',
    'created_at',
  ])
  for (let id = 1; id <= counts.customers; id++) {
    const [city, country] = random.pick(words.places)
    customer(
      id,
      `${random.pick(words.lastNames)} ${random.pick(words.companyForms)}`,
      `${random.pick(words.firstNames)} ${random.pick(words.lastNames)}`,
      `office${id}@customer.example`,
      city,
      country,
      random.chance(0.2) ? null : random.integer(5, 200) * 100,
      random.chance(0.9) ? 1 : 0,
      random.timestamp(2020, 2023),
    )
  }
  const employee = insert('employees', [
    'id',
    'first_name',
    'last_name',
    'title',
    'manager_id',
    'hired_on',
    'salary',
    'active',
  ])
  for (let id = 1; id <= counts.employees; id++) {
    const manager = id === 1 ? null : Math.ceil(id / 3)
    const title = id === 1 ? 'Managing Director' : random.pick(words.titles)
    employee(
      id,
      words.firstNames[id] ?? 'Kim',
      words.lastNames[id] ?? 'Berg',
      title,
      manager,
      random.timestamp(2015, 2022).slice(0, 10),
      random.integer(320, 900) * 100,
      1,
    )
  }
}

function fillOrders(insert: Insert, random: Random, prices: readonly number[]): void {
  const order = insert('orders', [
    'id',
    'customer_id',
    'employee_id',
    'status',
    'freight',
    'total_cents',
    'order_date',
    'shipped_on',
    'ship_city',
    'notes',
  ])
  const item = insert('order_items', [
    'order_id',
    'product_id',
    'quantity',
    'unit_price',
    'discount',
  ])
  for (let id = 1; id <= counts.orders; id++) {
    const lines = random.distinct(random.integer(1, 5), counts.products).map((product) => ({
      product,
      quantity: random.integer(1, 12),
      cents: prices[product - 1] ?? 0,
    }))
    const total = lines.reduce((sum, line) => sum + line.cents * line.quantity, 0)
    const timestamp = random.timestamp(2023, 2024)
    const status = random.pick(words.statuses)
    const [city] = random.pick(words.places)
    order(
      id,
      random.integer(1, counts.customers),
      random.chance(0.1) ? null : random.integer(2, counts.employees),
      status,
      random.integer(0, 5_000) / 100,
      total,
      timestamp,
      status === 'shipped' ? timestamp.slice(0, 10) : null,
      city,
      random.chance(0.15) ? random.pick(words.notes) : null,
    )
    for (const { product, quantity, cents } of lines) {
      item(id, product, quantity, cents / 100, random.chance(0.2) ? 0.1 : 0)
    }
  }
}
