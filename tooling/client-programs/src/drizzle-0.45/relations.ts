import { relations } from 'drizzle-orm'
import {
  categories,
  customerProfiles,
  customers,
  employees,
  orderItems,
  orders,
  products,
  productTags,
  reviews,
  suppliers,
  tags,
} from './schema.ts'

export const categoryRelations = relations(categories, ({ one, many }) => ({
  parent: one(categories, {
    fields: [categories.parentId],
    references: [categories.id],
    relationName: 'tree',
  }),
  children: many(categories, { relationName: 'tree' }),
  products: many(products),
}))

export const supplierRelations = relations(suppliers, ({ many }) => ({ products: many(products) }))

export const customerRelations = relations(customers, ({ one, many }) => ({
  profile: one(customerProfiles),
  orders: many(orders),
  reviews: many(reviews),
}))

export const customerProfileRelations = relations(customerProfiles, ({ one }) => ({
  customer: one(customers, {
    fields: [customerProfiles.customerId],
    references: [customers.id],
  }),
}))

export const employeeRelations = relations(employees, ({ one, many }) => ({
  manager: one(employees, {
    fields: [employees.managerId],
    references: [employees.id],
    relationName: 'team',
  }),
  reports: many(employees, { relationName: 'team' }),
  orders: many(orders),
}))

export const productRelations = relations(products, ({ one, many }) => ({
  category: one(categories, { fields: [products.categoryId], references: [categories.id] }),
  supplier: one(suppliers, { fields: [products.supplierId], references: [suppliers.id] }),
  productTags: many(productTags),
  items: many(orderItems),
  reviews: many(reviews),
}))

export const tagRelations = relations(tags, ({ many }) => ({ productTags: many(productTags) }))

export const productTagRelations = relations(productTags, ({ one }) => ({
  product: one(products, { fields: [productTags.productId], references: [products.id] }),
  tag: one(tags, { fields: [productTags.tagId], references: [tags.id] }),
}))

export const orderRelations = relations(orders, ({ one, many }) => ({
  customer: one(customers, { fields: [orders.customerId], references: [customers.id] }),
  employee: one(employees, { fields: [orders.employeeId], references: [employees.id] }),
  items: many(orderItems),
}))

export const orderItemRelations = relations(orderItems, ({ one }) => ({
  order: one(orders, { fields: [orderItems.orderId], references: [orders.id] }),
  product: one(products, { fields: [orderItems.productId], references: [products.id] }),
}))

export const reviewRelations = relations(reviews, ({ one }) => ({
  product: one(products, { fields: [reviews.productId], references: [products.id] }),
  customer: one(customers, { fields: [reviews.customerId], references: [customers.id] }),
}))
