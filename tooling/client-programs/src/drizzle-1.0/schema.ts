import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  jsonb,
  numeric,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm-v1/pg-core'

/** The connection's name is the schema's name. */
export const main = pgSchema('main')

/** The key that most tables have. */
export const id = () => integer('id').primaryKey().generatedByDefaultAsIdentity()

export const categories = main.table('categories', {
  id: id(),
  name: text('name').notNull().unique(),
  description: text('description'),
  parentId: integer('parent_id'),
})

export const suppliers = main.table('suppliers', {
  id: id(),
  name: text('name').notNull(),
  contactEmail: varchar('contact_email', { length: 120 }),
  country: text('country').notNull(),
  active: boolean('active').notNull().default(true),
  rating: doublePrecision('rating'),
  foundedOn: date('founded_on'),
})

export const customers = main.table('customers', {
  id: id(),
  companyName: text('company_name').notNull(),
  contactName: text('contact_name'),
  email: varchar('email', { length: 120 }).unique(),
  city: text('city'),
  country: text('country').notNull(),
  creditLimit: numeric('credit_limit', { precision: 10, scale: 2 }),
  active: boolean('active').notNull().default(true),
  notes: text('notes'),
  createdAt: timestamp('created_at').notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }),
})

export const customerProfiles = main.table('customer_profiles', {
  id: id(),
  customerId: integer('customer_id')
    .notNull()
    .unique()
    .references(() => customers.id),
  bio: text('bio'),
  website: text('website'),
  newsletter: boolean('newsletter').notNull().default(false),
  preferences: jsonb('preferences'),
  birthday: date('birthday', { mode: 'date' }),
})

export const employees = main.table('employees', {
  id: id(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  title: text('title'),
  managerId: integer('manager_id'),
  hiredOn: date('hired_on').notNull(),
  salary: numeric('salary', { precision: 10, scale: 2 }).notNull(),
  active: boolean('active').notNull().default(true),
})

export const products = main.table('products', {
  id: id(),
  name: text('name').notNull(),
  sku: varchar('sku', { length: 20 }).notNull().unique(),
  categoryId: integer('category_id').references(() => categories.id),
  supplierId: integer('supplier_id').references(() => suppliers.id),
  unitPrice: numeric('unit_price', { precision: 10, scale: 2 }).notNull(),
  cost: numeric('cost', { precision: 12, scale: 4 }),
  unitsInStock: integer('units_in_stock').notNull().default(0),
  reorderLevel: smallint('reorder_level'),
  discontinued: boolean('discontinued').notNull().default(false),
  weightKg: doublePrecision('weight_kg'),
  attributes: jsonb('attributes'),
  createdAt: timestamp('created_at').notNull().defaultNow(),
  releasedOn: date('released_on'),
  externalId: uuid('external_id'),
})

export const tags = main.table('tags', {
  id: id(),
  name: text('name').notNull().unique(),
})

export const productTags = main.table(
  'product_tags',
  {
    productId: integer('product_id')
      .notNull()
      .references(() => products.id),
    tagId: integer('tag_id')
      .notNull()
      .references(() => tags.id),
  },
  (table) => [primaryKey({ columns: [table.productId, table.tagId] })],
)

export const orders = main.table('orders', {
  id: id(),
  customerId: integer('customer_id')
    .notNull()
    .references(() => customers.id),
  employeeId: integer('employee_id').references(() => employees.id),
  status: text('status').notNull().default('new'),
  freight: numeric('freight', { precision: 10, scale: 2 }),
  totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
  orderDate: timestamp('order_date').notNull(),
  paidAt: timestamp('paid_at', { withTimezone: true }),
  shippedOn: date('shipped_on'),
  shipCity: text('ship_city'),
  notes: text('notes'),
})

export const orderItems = main.table(
  'order_items',
  {
    orderId: integer('order_id')
      .notNull()
      .references(() => orders.id),
    productId: integer('product_id')
      .notNull()
      .references(() => products.id),
    quantity: integer('quantity').notNull().default(1),
    unitPrice: numeric('unit_price', { precision: 10, scale: 2 }).notNull(),
    discount: numeric('discount', { precision: 4, scale: 2 }).notNull().default('0'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.productId] })],
)

export const reviews = main.table('reviews', {
  id: id(),
  productId: integer('product_id')
    .notNull()
    .references(() => products.id),
  customerId: integer('customer_id').references(() => customers.id),
  rating: smallint('rating').notNull(),
  title: varchar('title', { length: 60 }),
  body: text('body'),
  verified: boolean('verified').notNull().default(false),
  recommended: boolean('recommended'),
  createdAt: timestamp('created_at').notNull(),
})

export const customerTotals = main
  .view('customer_totals', {
    customerId: integer('customer_id').notNull(),
    companyName: text('company_name').notNull(),
    country: text('country').notNull(),
    orderCount: integer('order_count').notNull(),
    lastOrderAt: timestamp('last_order_at'),
  })
  .existing()

export const openOrders = main
  .view('open_orders', {
    id: integer('id').notNull(),
    customerId: integer('customer_id').notNull(),
    status: text('status').notNull(),
    freight: numeric('freight', { precision: 10, scale: 2 }),
    totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
    orderDate: timestamp('order_date').notNull(),
    paidAt: timestamp('paid_at', { withTimezone: true }),
    shippedOn: date('shipped_on'),
  })
  .existing()
