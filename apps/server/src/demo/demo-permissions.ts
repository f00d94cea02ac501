import type { Permission } from '@engine/core'

const manager: readonly Permission[] = [
  'categories',
  'products',
  'customers',
  'employees',
  'orders',
  'order_items',
].map((table) => ({
  name: `manager-${table}`,
  table: `main.${table}`,
  roles: ['manager'],
  select: {},
  insert: {},
  update: {},
  delete: {},
}))

/** Who may do what in the demo shop. */
export const demoPermissions: readonly Permission[] = [
  ...manager,
  {
    name: 'everyone-reads-the-catalogue',
    table: 'main.products',
    roles: ['support', 'customer'],
    select: {
      columns: ['id', 'name', 'sku', 'category_id', 'unit_price', 'units_in_stock', 'discontinued'],
    },
  },
  {
    name: 'everyone-reads-categories',
    table: 'main.categories',
    roles: ['support', 'customer'],
    select: {},
  },
  {
    name: 'support-reads-customers',
    table: 'main.customers',
    roles: ['support'],
    select: {
      columns: ['id', 'company_name', 'contact_name', 'email', 'city', 'country', 'active'],
    },
  },
  {
    name: 'support-reads-colleagues',
    table: 'main.employees',
    roles: ['support'],
    select: { columns: ['id', 'first_name', 'last_name', 'title'] },
  },
  {
    name: 'support-moves-orders',
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
  {
    name: 'support-reads-items',
    table: 'main.order_items',
    roles: ['support'],
    select: {},
  },
  {
    name: 'customers-own-account',
    table: 'main.customers',
    roles: ['customer'],
    select: { where: { id: '$user.customer_id' } },
    update: { columns: ['contact_name', 'email', 'city'], where: { id: '$user.customer_id' } },
  },
  {
    name: 'customers-own-orders',
    table: 'main.orders',
    roles: ['customer'],
    select: { where: { customer_id: '$user.customer_id' } },
    insert: {
      columns: ['ship_city', 'notes'],
      preset: { customer_id: '$user.customer_id', status: 'new' },
      check: { customer_id: '$user.customer_id' },
    },
  },
  {
    name: 'customers-own-items',
    table: 'main.order_items',
    roles: ['customer'],
    select: { where: { order: { customer_id: '$user.customer_id' } } },
  },
]
