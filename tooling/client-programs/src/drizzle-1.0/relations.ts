import { defineRelations } from 'drizzle-orm-v1'
import * as tables from './schema.ts'
import * as scratchTables from './scratch-schema.ts'

/** Every table, and the relations between the shop's tables. */
export const relations = defineRelations({ ...tables, ...scratchTables }, (r) => ({
  categories: {
    parent: r.one.categories({ from: r.categories.parentId, to: r.categories.id, alias: 'tree' }),
    children: r.many.categories({
      from: r.categories.id,
      to: r.categories.parentId,
      alias: 'tree',
    }),
    products: r.many.products(),
  },
  suppliers: {
    products: r.many.products(),
  },
  customers: {
    profile: r.one.customerProfiles({ from: r.customers.id, to: r.customerProfiles.customerId }),
    orders: r.many.orders({ from: r.customers.id, to: r.orders.customerId }),
    newOrders: r.many.orders({
      from: r.customers.id,
      to: r.orders.customerId,
      where: { status: 'new' },
      alias: 'new_orders',
    }),
    reviews: r.many.reviews(),
    reviewedProducts: r.many.products({
      from: r.customers.id.through(r.reviews.customerId),
      to: r.products.id.through(r.reviews.productId),
      alias: 'reviewed',
    }),
  },
  customerProfiles: {
    customer: r.one.customers({
      from: r.customerProfiles.customerId,
      to: r.customers.id,
      optional: false,
    }),
  },
  employees: {
    manager: r.one.employees({ from: r.employees.managerId, to: r.employees.id, alias: 'team' }),
    reports: r.many.employees({ from: r.employees.id, to: r.employees.managerId, alias: 'team' }),
    orders: r.many.orders({ from: r.employees.id, to: r.orders.employeeId }),
  },
  products: {
    category: r.one.categories({ from: r.products.categoryId, to: r.categories.id }),
    supplier: r.one.suppliers({ from: r.products.supplierId, to: r.suppliers.id }),
    tags: r.many.tags({
      from: r.products.id.through(r.productTags.productId),
      to: r.tags.id.through(r.productTags.tagId),
    }),
    items: r.many.orderItems(),
    reviews: r.many.reviews(),
  },
  tags: {
    products: r.many.products(),
  },
  orders: {
    customer: r.one.customers({ from: r.orders.customerId, to: r.customers.id }),
    employee: r.one.employees({ from: r.orders.employeeId, to: r.employees.id }),
    items: r.many.orderItems({ from: r.orders.id, to: r.orderItems.orderId }),
    products: r.many.products({
      from: r.orders.id.through(r.orderItems.orderId),
      to: r.products.id.through(r.orderItems.productId),
      alias: 'ordered',
    }),
  },
  orderItems: {
    order: r.one.orders({ from: r.orderItems.orderId, to: r.orders.id, optional: false }),
    product: r.one.products({ from: r.orderItems.productId, to: r.products.id, optional: false }),
  },
  reviews: {
    product: r.one.products({ from: r.reviews.productId, to: r.products.id, optional: false }),
    customer: r.one.customers({ from: r.reviews.customerId, to: r.customers.id }),
  },
}))
