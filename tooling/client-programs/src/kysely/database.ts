import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Digits: PostgreSQL's int8 and numeric may exceed a JavaScript number. */
type Digits = ColumnType<string, string | number | bigint, string | number | bigint>
/** Read as PostgreSQL's text, written as text or as a Date. */
type Time = ColumnType<string, string | Date, string | Date>
/** Read as `\x` and hexadecimal digits, also written as bytes. */
type Bytes = ColumnType<string, string | Uint8Array, string | Uint8Array>
/** A column that may be left out of an insert. */
type Defaulted<Column> =
  Column extends ColumnType<infer Read, infer Insert, infer Update>
    ? ColumnType<Read, Insert | undefined, Update>
    : Generated<Column>
/** Read parsed, written as JSON text or as an object. */
type Json = JSONColumnType<object, string | object, string | object>

interface Categories {
  id: Generated<number>
  name: string
  description: string | null
  parent_id: number | null
}

interface Suppliers {
  id: Generated<number>
  name: string
  contact_email: string | null
  country: string
  active: Generated<boolean>
  rating: number | null
  founded_on: Time | null
}

interface Customers {
  id: Generated<number>
  company_name: string
  contact_name: string | null
  email: string | null
  city: string | null
  country: string
  credit_limit: Digits | null
  active: Generated<boolean>
  notes: string | null
  created_at: Defaulted<Time>
  updated_at: Time | null
}

interface CustomerProfiles {
  id: Generated<number>
  customer_id: number
  bio: string | null
  website: string | null
  newsletter: Generated<boolean>
  preferences: Json | null
  birthday: Time | null
}

interface Employees {
  id: Generated<number>
  first_name: string
  last_name: string
  title: string | null
  manager_id: number | null
  hired_on: Time
  salary: Digits
  active: Generated<boolean>
}

interface Products {
  id: Generated<number>
  name: string
  sku: string
  category_id: number | null
  supplier_id: number | null
  unit_price: Digits
  cost: Digits | null
  units_in_stock: Generated<number>
  reorder_level: number | null
  discontinued: Generated<boolean>
  weight_kg: number | null
  attributes: Json | null
  created_at: Defaulted<Time>
  released_on: Time | null
  external_id: string | null
}

interface Tags {
  id: Generated<number>
  name: string
}

interface ProductTags {
  product_id: number
  tag_id: number
}

interface Orders {
  id: Generated<number>
  customer_id: number
  employee_id: number | null
  status: Generated<string>
  freight: Digits | null
  total_cents: Digits
  order_date: Time
  paid_at: Time | null
  shipped_on: Time | null
  ship_city: string | null
  notes: string | null
}

interface OrderItems {
  order_id: number
  product_id: number
  quantity: Generated<number>
  unit_price: Digits
  discount: Defaulted<Digits>
}

interface Reviews {
  id: Generated<number>
  product_id: number
  customer_id: number | null
  rating: number
  title: string | null
  body: string | null
  verified: Generated<boolean>
  recommended: boolean | null
  created_at: Time
}

interface TypeSamples {
  id: Generated<number>
  label: string
  c_int2: number | null
  c_int4: number | null
  c_int8: Digits | null
  c_numeric: Digits | null
  c_float8: number | null
  c_bool: boolean | null
  c_text: string | null
  c_varchar: string | null
  c_char: string | null
  c_uuid: string | null
  c_date: Time | null
  c_time: string | null
  c_timestamp: Time | null
  c_timestamptz: Time | null
  c_bytea: Bytes | null
  c_json: Json | null
  c_jsonb: Json | null
}

interface Scratch {
  id: Generated<number>
  name: string
  note: string | null
  amount: Digits | null
  flag: Generated<boolean>
  n: Generated<number>
  small: number | null
  big: Digits | null
  ratio: number | null
  code: string | null
  day: Time | null
  at: Time | null
  seen_at: Time | null
  data: Json | null
  bytes: Bytes | null
}

interface Counters {
  key: string
  n: Generated<number>
  updated_at: Time | null
}

interface Memberships {
  id: Generated<number>
  team: string
  member: string
  role: Generated<string>
  points: Generated<number>
  email: string | null
}

interface Stock {
  code: string
  quantity: Generated<number>
  price: Defaulted<Digits>
  counted_on: Time | null
}

interface Settings {
  id: Generated<number>
  name: Generated<string>
  level: Generated<number>
  enabled: Generated<boolean>
  ratio: Defaulted<Digits>
  starts_on: Defaulted<Time | null>
  data: Defaulted<Json | null>
  comment: string | null
}

interface Folders {
  id: Generated<number>
  name: string
  parent_id: number | null
}

interface OddNames {
  id: Generated<number>
  select: string | null
  order: number | null
  CamelCase: string | null
  'with space': string | null
  'dotted.name': string | null
  'quote"d': string | null
  ünïcode: string | null
}

interface CustomerTotals {
  customer_id: number
  company_name: string
  country: string
  order_count: number
  last_order_at: string | null
}

/** Types that only PostgreSQL has; a part of the columns. */
interface PgOnly {
  id: Generated<number>
  label: string
  numbers: number[] | null
  names: string[] | null
  amounts: string[] | null
  current_mood: 'sad' | 'ok' | 'happy' | null
  span: string | null
  computed: GeneratedAlways<number>
}

/** The tables of the connection, by name. */
export interface Database {
  categories: Categories
  suppliers: Suppliers
  customers: Customers
  customer_profiles: CustomerProfiles
  employees: Employees
  products: Products
  tags: Tags
  product_tags: ProductTags
  orders: Orders
  order_items: OrderItems
  reviews: Reviews
  type_samples: TypeSamples
  scratch: Scratch
  counters: Counters
  memberships: Memberships
  stock: Stock
  settings: Settings
  folders: Folders
  'odd names': OddNames
  customer_totals: CustomerTotals
  pg_only: PgOnly
}
