import { definePermissions, type Permission } from '@engine/core'
import type { Schema } from './demo-schema.ts'

const everything = { roles: ['manager'], select: {}, insert: {}, update: {}, delete: {} } as const

/** Permissions of the demo shop. */
export const demoPermissions: Readonly<Record<string, Permission>> = definePermissions<Schema>({
  'manager-categories': { table: 'main.categories', ...everything },
  'manager-products': { table: 'main.products', ...everything },
  'manager-customers': { table: 'main.customers', ...everything },
  'manager-employees': { table: 'main.employees', ...everything },
  'manager-orders': { table: 'main.orders', ...everything },
  'manager-order_items': { table: 'main.order_items', ...everything },
  'everyone-reads-the-catalogue': {
    table: 'main.products',
    roles: ['support', 'customer'],
    select: {
      columns: ['id', 'name', 'sku', 'category_id', 'unit_price', 'units_in_stock', 'discontinued'],
    },
  },
  'everyone-reads-categories': {
    table: 'main.categories',
    roles: ['support', 'customer'],
    select: {},
  },
  'support-reads-customers': {
    table: 'main.customers',
    roles: ['support'],
    select: {
      columns: ['id', 'company_name', 'contact_name', 'email', 'city', 'country', 'active'],
    },
  },
  'support-reads-colleagues': {
    table: 'main.employees',
    roles: ['support'],
    select: { columns: ['id', 'first_name', 'last_name', 'title'] },
  },
  'support-moves-orders': {
    table: 'main.orders',
    roles: ['support'],
    select: {},
    update: {
      columns: ['status', 'shipped_on'],
      where: { status: { $in: ['new', 'paid'] } },
      check: { status: { $in: ['new', 'paid', 'shipped'] } },
      preset: { employee_id: '$user.employee_id' },
    },
  },
  'support-reads-items': {
    table: 'main.order_items',
    roles: ['support'],
    select: {},
  },
  'customers-own-account': {
    table: 'main.customers',
    roles: ['customer'],
    select: { where: { id: '$user.customer_id' } },
    update: { columns: ['contact_name', 'email', 'city'], where: { id: '$user.customer_id' } },
  },
  'customers-own-orders': {
    table: 'main.orders',
    roles: ['customer'],
    select: { where: { customer_id: '$user.customer_id' } },
    insert: {
      columns: ['ship_city', 'notes'],
      preset: { customer_id: '$user.customer_id', status: 'new' },
      check: { customer_id: '$user.customer_id' },
    },
  },
  'customers-own-items': {
    table: 'main.order_items',
    roles: ['customer'],
    select: { where: { order: { customer_id: '$user.customer_id' } } },
  },
})
