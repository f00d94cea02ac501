/** @module Reads and changes the demo shop through a running engine. Run it: `npm run example:drizzle`, in the repository's root. */
import { createClient } from '@engine/client'
import { createAuth } from '@engine/client/auth'
import { createDrizzleDriver } from '@engine/client/drizzle'
import { count, desc, eq, gt, sql, sum } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pg-proxy'
import * as schema from './schema.ts'

const { customers, orders, products } = schema

const url = process.env.ENGINE_URL ?? 'http://127.0.0.1:3001'
const token = process.env.ENGINE_TOKEN
const auth = createAuth({ url })
if (token === undefined) {
  await auth.signIn({ email: 'maria@example.com', password: 'correct horse battery' })
}
const client = createClient({ url, ...(token === undefined ? { session: auth } : { token }) })
const db = drizzle(createDrizzleDriver(client).callback, { schema })

console.log('The dearest products in stock:')
const dearest = await db
  .select({ name: products.name, price: products.unitPrice, stock: products.unitsInStock })
  .from(products)
  .where(gt(products.unitsInStock, 0))
  .orderBy(desc(products.unitPrice), products.id)
  .limit(5)
for (const { name, price, stock } of dearest) console.log(`  ${name}: ${price}, ${stock} left`)

console.log('\nOrders by status:')
const byStatus = await db
  .select({ status: orders.status, orders: count(), cents: sum(orders.totalCents).mapWith(Number) })
  .from(orders)
  .groupBy(orders.status)
  .orderBy(orders.status)
for (const row of byStatus) console.log(`  ${row.status}: ${row.orders} for ${euros(row.cents)}`)

console.log('\nThe newest orders of three customers, in one statement:')
const people = await db.query.customers.findMany({
  columns: { companyName: true, country: true },
  where: eq(customers.active, true),
  orderBy: customers.id,
  limit: 3,
  with: {
    orders: {
      columns: { id: true, status: true, orderDate: true },
      orderBy: (order) => [desc(order.orderDate), order.id],
      limit: 2,
      with: {
        employee: { columns: { lastName: true } },
        items: {
          columns: { quantity: true },
          orderBy: (item) => item.productId,
          with: { product: { columns: { name: true } } },
        },
      },
    },
  },
})
for (const person of people) {
  console.log(`  ${person.companyName}, ${person.country}`)
  for (const order of person.orders) {
    const day = order.orderDate.toISOString().slice(0, 10)
    const seller = order.employee?.lastName ?? 'nobody'
    console.log(`    #${order.id} of ${day}, ${order.status}, sold by ${seller}`)
    for (const item of order.items) console.log(`      ${item.quantity} × ${item.product.name}`)
  }
}

console.log('\nA product comes, changes and goes:')
const [made] = await db
  .insert(products)
  .values({ name: 'Example Tea', sku: 'EXAMPLE-TEA', unitPrice: '4.90', unitsInStock: 10 })
  .onConflictDoUpdate({ target: products.sku, set: { unitPrice: '4.90', unitsInStock: 10 } })
  .returning()
if (made === undefined) throw new Error('The insert returned no row.')
console.log(`  inserted #${made.id}: ${made.name} at ${made.unitPrice}, ${made.unitsInStock} left`)

const [sold] = await db
  .update(products)
  .set({ unitsInStock: sql`${products.unitsInStock} - 3` })
  .where(eq(products.id, made.id))
  .returning({ left: products.unitsInStock })
console.log(`  sold three: ${sold?.left} left`)

await db.delete(products).where(eq(products.id, made.id))
const left = await db.$count(products, eq(products.sku, made.sku))
console.log(`  deleted: ${left} such products left`)

function euros(cents: number | null): string {
  return `${((cents ?? 0) / 100).toFixed(2)} €`
}
