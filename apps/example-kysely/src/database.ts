import type { Generated } from 'kysely'

/** What comes is what the wire carries: exact numbers and times are text, as PostgreSQL writes them. */
type Decimal = string
type Timestamp = string

interface Customers {
  id: Generated<number>
  company_name: string
  city: string | null
  country: string
  credit_limit: Decimal | null
  active: Generated<boolean>
}

interface Products {
  id: Generated<number>
  name: string
  sku: string
  unit_price: Decimal
  units_in_stock: Generated<number>
  discontinued: Generated<boolean>
}

interface Employees {
  id: Generated<number>
  first_name: string
  last_name: string
}

interface Orders {
  id: Generated<number>
  customer_id: number
  employee_id: number | null
  status: Generated<string>
  total_cents: string
  order_date: Timestamp
}

interface OrderItems {
  order_id: number
  product_id: number
  quantity: Generated<number>
}

/** The tables of the engine's connection `main` that this program uses. */
export interface Database {
  customers: Customers
  products: Products
  employees: Employees
  orders: Orders
  order_items: OrderItems
}
