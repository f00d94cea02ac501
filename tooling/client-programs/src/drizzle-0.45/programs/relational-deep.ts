import { eq, inArray, lte } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { categories, customers, orders, products } from '../schema.ts'

/** Relational queries of several levels, through junctions and back to the same table. */
export const deepRelational: readonly Program<Db>[] = [
  read('four levels with a filter, an order and a limit on each', (db) =>
    db.query.customers.findMany({
      columns: { companyName: true },
      where: (t, { inArray }) => inArray(t.id, [1, 2, 3, 4, 5, 6, 7, 8]),
      orderBy: (t, { desc }) => desc(t.id),
      limit: 6,
      with: {
        orders: {
          columns: { id: true, orderDate: true },
          where: (t, { ne }) => ne(t.status, 'cancelled'),
          orderBy: (t, { desc }) => [desc(t.orderDate), t.id],
          limit: 3,
          with: {
            items: {
              columns: { quantity: true, discount: true },
              where: (t, { gt }) => gt(t.quantity, 1),
              orderBy: (t, { desc }) => [desc(t.quantity), t.productId],
              limit: 2,
              with: {
                product: {
                  columns: { name: true },
                  with: { category: { columns: { name: true } } },
                },
              },
            },
          },
        },
      },
    }),
  ),
  read('upwards: items, order, customer, profile', (db) =>
    db.query.orderItems.findMany({
      where: (t, { lt }) => lt(t.orderId, 12),
      orderBy: (t) => [t.orderId, t.productId],
      with: {
        order: {
          columns: { id: true, paidAt: true },
          with: { customer: { columns: { companyName: true }, with: { profile: true } } },
        },
      },
    }),
  ),
  read('several branches of different depth', (db) =>
    db.query.orders.findMany({
      where: inArray(orders.id, [3, 5, 8, 13, 21, 34]),
      orderBy: (t) => t.id,
      with: {
        customer: {
          with: { profile: true, reviews: { columns: { rating: true }, orderBy: (t) => t.id } },
        },
        employee: {
          columns: { lastName: true },
          with: { manager: { columns: { lastName: true } } },
        },
        items: {
          orderBy: (t) => t.productId,
          with: { product: { columns: { sku: true }, with: { supplier: true } } },
        },
      },
    }),
  ),
  read('through a junction, from the other side, filtered', (db) =>
    db.query.tags.findMany({
      orderBy: (t) => t.id,
      with: {
        productTags: {
          columns: { productId: true },
          where: (t, { lte }) => lte(t.productId, 30),
          orderBy: (t, { desc }) => desc(t.productId),
          limit: 4,
          with: { product: { columns: { name: true, discontinued: true } } },
        },
      },
    }),
  ),
  read('through a junction and back', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      where: lte(products.id, 12),
      orderBy: (t) => t.id,
      with: {
        productTags: {
          columns: { tagId: true },
          orderBy: (t) => t.tagId,
          with: {
            tag: {
              columns: { name: true },
              with: {
                productTags: {
                  columns: { productId: true },
                  orderBy: (t) => t.productId,
                  limit: 3,
                },
              },
            },
          },
        },
      },
    }),
  ),
  read('a manager and the manager above', (db) =>
    db.query.employees.findMany({
      columns: { id: true, lastName: true },
      orderBy: (t) => t.id,
      with: {
        manager: {
          columns: { lastName: true },
          with: { manager: { columns: { lastName: true, hiredOn: true } } },
        },
      },
    }),
  ),
  read('reports and the reports below', (db) =>
    db.query.employees.findMany({
      columns: { id: true, lastName: true },
      orderBy: (t) => t.id,
      with: {
        reports: {
          columns: { id: true },
          orderBy: (t) => t.id,
          with: { reports: { columns: { id: true, salary: true }, orderBy: (t) => t.id } },
        },
      },
    }),
  ),
  read('a tree: parent, children and their products', (db) =>
    db.query.categories.findMany({
      orderBy: (t) => t.id,
      with: {
        parent: { columns: { name: true } },
        children: {
          columns: { name: true },
          orderBy: (t) => t.id,
          with: { products: { columns: { id: true }, orderBy: (t) => t.id, limit: 2 } },
        },
      },
    }),
  ),
  read('four levels of a tree', (db) =>
    db.query.categories.findFirst({
      where: eq(categories.id, 1),
      with: {
        children: {
          orderBy: (t) => t.id,
          with: {
            children: {
              orderBy: (t) => t.id,
              with: { children: { orderBy: (t) => t.id } },
            },
          },
        },
      },
    }),
  ),
  read('extras on every level', (db) =>
    db.query.customers.findMany({
      columns: { id: true },
      where: lte(customers.id, 6),
      orderBy: (t) => t.id,
      extras: (t, { sql }) => ({ shout: sql<string>`upper(${t.companyName})`.as('shout') }),
      with: {
        orders: {
          columns: { id: true },
          orderBy: (t) => t.id,
          extras: (t, { sql }) => ({
            year: sql<number>`extract(year from ${t.orderDate})::int`.as('year'),
          }),
          with: {
            items: {
              columns: {},
              orderBy: (t) => t.productId,
              extras: (t, { sql }) => ({
                net: sql<string>`${t.unitPrice} * (1 - ${t.discount} / 100)`.as('net'),
              }),
            },
          },
        },
      },
    }),
  ),
  read('reviews with their product and its category, newest first', (db) =>
    db.query.reviews.findMany({
      orderBy: (t, { desc }) => [desc(t.createdAt), t.id],
      limit: 25,
      with: {
        customer: { columns: { companyName: true, country: true } },
        product: {
          columns: { name: true, attributes: true },
          with: { category: { with: { parent: true } } },
        },
      },
    }),
  ),
  read('a missing middle row ends the branch with null', (db) =>
    db.query.products.findMany({
      columns: { id: true },
      orderBy: (t) => t.id,
      with: {
        category: { columns: { id: true }, with: { parent: { with: { parent: true } } } },
      },
    }),
  ),
  read('a parameter on every level, in textual order', (db) =>
    db.query.suppliers.findMany({
      columns: { name: true },
      where: (t, { and, eq, gte }) => and(eq(t.active, true), gte(t.rating, 1)),
      orderBy: (t) => t.id,
      limit: 5,
      with: {
        products: {
          columns: { name: true },
          where: (t, { gt }) => gt(t.unitsInStock, 4),
          orderBy: (t) => t.id,
          limit: 4,
          with: {
            reviews: {
              columns: { title: true },
              where: (t, { gte, eq, and }) => and(gte(t.rating, 2), eq(t.verified, true)),
              orderBy: (t) => t.id,
              limit: 3,
            },
          },
        },
      },
    }),
  ),
]
