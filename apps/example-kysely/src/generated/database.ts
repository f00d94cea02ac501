// Made by engine-codegen from GET /schema: changes are lost when it runs again.

import type { ColumnType, Generated } from 'kysely'

/** "accounts" in the connection "main". */
export interface MainAccounts {
  id: string
  email: string
  name: string | null
  role: Generated<string>
  customer_id: number | null
  employee_id: number | null
}

/** "categories" in the connection "main". */
export interface MainCategories {
  id: Generated<number>
  name: string
  description: string | null
}

/** "customers" in the connection "main". */
export interface MainCustomers {
  id: Generated<number>
  company_name: string
  contact_name: string | null
  email: string | null
  city: string | null
  country: string
  credit_limit: ColumnType<string | null, string | number | null, string | number | null>
  active: Generated<boolean>
  created_at: ColumnType<string, string | Date | undefined, string | Date>
}

/** "employees" in the connection "main". */
export interface MainEmployees {
  id: Generated<number>
  first_name: string
  last_name: string
  title: string | null
  manager_id: number | null
  hired_on: ColumnType<string, string | Date, string | Date>
  salary: ColumnType<string, string | number, string | number>
  active: Generated<boolean>
}

/** "order_items" in the connection "main". */
export interface MainOrderItems {
  order_id: number
  product_id: number
  quantity: Generated<number>
  unit_price: ColumnType<string, string | number, string | number>
  discount: ColumnType<string, string | number | undefined, string | number>
}

/** "orders" in the connection "main". */
export interface MainOrders {
  id: Generated<number>
  customer_id: number
  employee_id: number | null
  status: Generated<string>
  freight: ColumnType<string | null, string | number | null, string | number | null>
  total_cents: ColumnType<string, string | number | bigint | undefined, string | number | bigint>
  order_date: ColumnType<string, string | Date | undefined, string | Date>
  shipped_on: ColumnType<string | null, string | Date | null, string | Date | null>
  ship_city: string | null
  notes: string | null
}

/** "products" in the connection "main". */
export interface MainProducts {
  id: Generated<number>
  name: string
  sku: string
  category_id: number | null
  unit_price: ColumnType<string, string | number, string | number>
  cost: ColumnType<string | null, string | number | null, string | number | null>
  units_in_stock: Generated<number>
  discontinued: Generated<boolean>
  created_at: ColumnType<string, string | Date | undefined, string | Date>
}

/** Every table, by the name under which statements address it. */
export interface Database {
  'main.accounts': MainAccounts
  'main.categories': MainCategories
  'main.customers': MainCustomers
  'main.employees': MainEmployees
  'main.order_items': MainOrderItems
  'main.orders': MainOrders
  'main.products': MainProducts
}

/** Every action, by name. */
export type Actions = Record<never, never>
