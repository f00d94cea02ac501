import { relations } from 'drizzle-orm'
import {
  bigint,
  boolean,
  integer,
  numeric,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core'

/** The engine's connection takes the place of a PostgreSQL schema, for every kind of database. */
const main = pgSchema('main')

export const customers = main.table('customers', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  companyName: text('company_name').notNull(),
  city: text('city'),
  country: text('country').notNull(),
  creditLimit: numeric('credit_limit', { precision: 10, scale: 2 }),
  active: boolean('active').notNull().default(true),
})

export const products = main.table('products', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  name: text('name').notNull(),
  sku: varchar('sku', { length: 20 }).notNull().unique(),
  unitPrice: numeric('unit_price', { precision: 10, scale: 2 }).notNull(),
  unitsInStock: integer('units_in_stock').notNull().default(0),
  discontinued: boolean('discontinued').notNull().default(false),
})

export const employees = main.table('employees', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
})

export const orders = main.table('orders', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  customerId: integer('customer_id').notNull(),
  employeeId: integer('employee_id'),
  status: text('status').notNull().default('new'),
  totalCents: bigint('total_cents', { mode: 'number' }).notNull(),
  orderDate: timestamp('order_date').notNull(),
})

export const orderItems = main.table(
  'order_items',
  {
    orderId: integer('order_id').notNull(),
    productId: integer('product_id').notNull(),
    quantity: integer('quantity').notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.productId] })],
)

export const customerRelations = relations(customers, ({ many }) => ({ orders: many(orders) }))

export const orderRelations = relations(orders, ({ one, many }) => ({
  customer: one(customers, { fields: [orders.customerId], references: [customers.id] }),
  employee: one(employees, { fields: [orders.employeeId], references: [employees.id] }),
  items: many(orderItems),
}))

export const orderItemRelations = relations(orderItems, ({ one }) => ({
  order: one(orders, { fields: [orderItems.orderId], references: [orders.id] }),
  product: one(products, { fields: [orderItems.productId], references: [products.id] }),
}))
