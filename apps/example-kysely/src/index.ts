/** @module Reads and changes the demo shop through a running engine. Run it: `npm run example:kysely`, in the repository's root. */
import { createClient } from '@engine/client'
import { createAuth } from '@engine/client/auth'
import { engineDialect } from '@engine/client/kysely'
import { Kysely } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Database } from './generated/database.ts'

const url = process.env.ENGINE_URL ?? 'http://127.0.0.1:3001'
const token = process.env.ENGINE_TOKEN
const auth = createAuth({ url })
if (token === undefined) {
  await auth.signIn({ email: 'maria@example.com', password: 'correct horse battery' })
}
const client = createClient({ url, ...(token === undefined ? { session: auth } : { token }) })
/** Tables are `<connection>.<table>`: the engine's connection takes the place of a PostgreSQL schema. */
const db = new Kysely<Database>({ dialect: engineDialect(client) })

console.log('The dearest products in stock:')
const dearest = await db
  .selectFrom('main.products')
  .select(['name', 'unit_price', 'units_in_stock'])
  .where('units_in_stock', '>', 0)
  .orderBy('unit_price', 'desc')
  .orderBy('id')
  .limit(5)
  .execute()
for (const product of dearest) {
  console.log(`  ${product.name}: ${product.unit_price}, ${product.units_in_stock} left`)
}

console.log('\nOrders by status:')
const byStatus = await db
  .selectFrom('main.orders')
  .select(({ fn }) => [
    'status',
    fn.countAll<string>().as('orders'),
    fn.sum<string>('total_cents').as('cents'),
  ])
  .groupBy('status')
  .orderBy('status')
  .execute()
for (const { status, orders, cents } of byStatus) {
  console.log(`  ${status}: ${orders} for ${(Number(cents) / 100).toFixed(2)} €`)
}

console.log('\nThe newest orders of three customers, in one statement:')
const people = await db
  .selectFrom('main.customers as customers')
  .select((customer) => [
    'customers.company_name',
    'customers.country',
    jsonArrayFrom(
      customer
        .selectFrom('main.orders as orders')
        .select((order) => [
          'orders.id',
          'orders.status',
          'orders.order_date',
          jsonObjectFrom(
            order
              .selectFrom('main.employees as employees')
              .select('employees.last_name')
              .whereRef('employees.id', '=', 'orders.employee_id'),
          ).as('employee'),
          jsonArrayFrom(
            order
              .selectFrom('main.order_items as order_items')
              .innerJoin('main.products as products', 'products.id', 'order_items.product_id')
              .select(['order_items.quantity', 'products.name'])
              .whereRef('order_items.order_id', '=', 'orders.id')
              .orderBy('products.id'),
          ).as('items'),
        ])
        .whereRef('orders.customer_id', '=', 'customers.id')
        .orderBy('orders.order_date', 'desc')
        .orderBy('orders.id')
        .limit(2),
    ).as('orders'),
  ])
  .where('customers.active', '=', true)
  .orderBy('customers.id')
  .limit(3)
  .execute()
for (const person of people) {
  console.log(`  ${person.company_name}, ${person.country}`)
  for (const order of person.orders) {
    const day = order.order_date.slice(0, 10)
    const seller = order.employee?.last_name ?? 'nobody'
    console.log(`    #${order.id} of ${day}, ${order.status}, sold by ${seller}`)
    for (const item of order.items) console.log(`      ${item.quantity} × ${item.name}`)
  }
}

console.log('\nA product comes, changes and goes:')
const made = await db
  .insertInto('main.products')
  .values({ name: 'Example Coffee', sku: 'EXAMPLE-COFFEE', unit_price: '7.90', units_in_stock: 10 })
  .onConflict((conflict) =>
    conflict.column('sku').doUpdateSet({ unit_price: '7.90', units_in_stock: 10 }),
  )
  .returningAll()
  .executeTakeFirstOrThrow()
console.log(`  inserted #${made.id}: ${made.name} at ${made.unit_price}`)

const { numUpdatedRows } = await db
  .updateTable('main.products')
  .set((product) => ({ units_in_stock: product('units_in_stock', '-', 3) }))
  .where('id', '=', made.id)
  .where('units_in_stock', '>=', 3)
  .executeTakeFirst()
console.log(`  sold three: ${numUpdatedRows} row changed`)

const { numDeletedRows } = await db
  .deleteFrom('main.products')
  .where('id', '=', made.id)
  .executeTakeFirst()
console.log(`  deleted: ${numDeletedRows} row gone`)
