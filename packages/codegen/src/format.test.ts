import type { SchemaDocument } from '@engine/contract'
import { expect, test } from 'vitest'
import { generate } from './format.ts'
import { formats } from './generate-options.ts'

const key = { nullable: false, hasDefault: true, primaryKey: true }
const plain = { nullable: false, hasDefault: false, primaryKey: false }

const schema: SchemaDocument = {
  connections: {
    main: {
      type: 'postgres',
      tables: {
        customers: {
          columns: { id: { ...key, type: 'integer' }, name: { ...plain, type: 'text' } },
          relationships: {
            orders: { table: 'main.orders', type: 'one-to-many', from: 'id', to: 'customer_id' },
          },
        },
        orders: {
          columns: {
            id: { ...key, type: 'bigint' },
            customer_id: { ...plain, type: 'integer' },
            total: { ...plain, type: 'numeric(10,2)', hasDefault: true },
            notes: { ...plain, type: 'character varying(80)', nullable: true },
          },
          relationships: {
            customer: {
              table: 'main.customers',
              type: 'many-to-one',
              from: 'customer_id',
              to: 'id',
            },
          },
        },
      },
    },
  },
  actions: {
    ship: {
      input: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
      output: { type: 'boolean' },
    },
  },
}

const header = '// Made by engine-codegen from GET /schema: changes are lost when it runs again.\n'

test('types', () => {
  expect(generate(schema, { format: 'types' })).toBe(`${header}
/** A row of "customers" in the connection "main". */
export interface MainCustomers {
  id: number
  name: string
}

/** What a new row of "customers" in the connection "main" is made of. */
export interface MainCustomersInsert {
  id?: number
  name: string
}

/** A row of "orders" in the connection "main". */
export interface MainOrders {
  id: string
  customer_id: number
  total: string
  notes: string | null
}

/** What a new row of "orders" in the connection "main" is made of. */
export interface MainOrdersInsert {
  id?: string | number
  customer_id: number
  total?: string | number
  notes?: string | null
}

/** Rows that are read and rows that are made, by table. */
export interface Tables {
  'main.customers': { row: MainCustomers; insert: MainCustomersInsert }
  'main.orders': { row: MainOrders; insert: MainOrdersInsert }
}

/** What the action "ship" takes and gives. */
export interface ShipAction {
  input: {
    order: string
  }
  output: boolean
}

/** Every action, by name. */
export interface Actions {
  ship: ShipAction
}
`)
})

test('Drizzle', () => {
  expect(generate(schema, { format: 'drizzle' })).toBe(`${header}
import { relations, sql } from 'drizzle-orm'
import {
  bigint,
  integer,
  numeric,
  pgSchema,
  text,
  varchar,
} from 'drizzle-orm/pg-core'

const mainSchema = pgSchema('main')

/** "customers" in the connection "main". */
export const customers = mainSchema.table('customers', {
  id: integer('id').primaryKey().default(sql\`default\`),
  name: text('name').notNull(),
})

/** "orders" in the connection "main". */
export const orders = mainSchema.table('orders', {
  id: bigint('id', { mode: 'bigint' }).primaryKey().default(sql\`default\`),
  customerId: integer('customer_id').notNull(),
  total: numeric('total', { precision: 10, scale: 2 }).notNull().default(sql\`default\`),
  notes: varchar('notes', { length: 80 }),
})

export const customersRelations = relations(customers, ({ many }) => ({
  orders: many(orders),
}))

export const ordersRelations = relations(orders, ({ one }) => ({
  customer: one(customers, { fields: [orders.customerId], references: [customers.id] }),
}))
`)
  expect(generate(schema, { format: 'drizzle', drizzleVersion: 1 })).toContain(`
export const relations = defineRelations({ customers, orders }, (r) => ({
  customers: {
    orders: r.many.orders({ from: r.customers.id, to: r.orders.customerId }),
  },
  orders: {
    customer: r.one.customers({ from: r.orders.customerId, to: r.customers.id, optional: false }),
  },
}))
`)
})

test('Kysely', () => {
  expect(generate(schema, { format: 'kysely' })).toContain(`
import type { ColumnType, Generated } from 'kysely'

/** "customers" in the connection "main". */
export interface MainCustomers {
  id: Generated<number>
  name: string
}

/** "orders" in the connection "main". */
export interface MainOrders {
  id: ColumnType<string, string | number | bigint | undefined, string | number | bigint>
  customer_id: number
  total: ColumnType<string, string | number | undefined, string | number>
  notes: string | null
}

/** Every table, by the name under which statements address it. */
export interface Database {
  'main.customers': MainCustomers
  'main.orders': MainOrders
}
`)
})

test('zod', () => {
  expect(generate(schema, { format: 'zod' })).toContain(`
/** A row of "orders" in the connection "main". */
export const mainOrdersRow = z.object({
  id: z.string().regex(/^-?\\d+$/),
  customer_id: z.number(),
  total: z.string(),
  notes: z.string().nullable(),
})
export type MainOrdersRow = z.infer<typeof mainOrdersRow>
`)
})

test('permissions', () => {
  expect(generate(schema, { format: 'permissions' })).toBe(`${header}
/** Every table with the types of its columns and its relations, for \`definePermissions<Schema>\`. */
export interface Schema {
  /** "customers" in the connection "main". */
  'main.customers': {
    columns: {
      id: 'integer'
      name: 'text'
    }
    relations: {
      orders: { table: 'main.orders'; many: true }
    }
  }
  /** "orders" in the connection "main". */
  'main.orders': {
    columns: {
      id: 'bigint'
      customer_id: 'integer'
      total: 'numeric'
      notes: 'character varying'
    }
    relations: {
      customer: { table: 'main.customers'; many: false }
    }
  }
}
`)
})

test('a table that is called like the new rows of another shares no type with them', () => {
  const table = { columns: { id: { ...key, type: 'integer' } }, relationships: {} }
  const tables = { OrdersInsert: table, orders: table }
  const text = generate({ connections: { main: { type: 'sqlite', tables } } }, { format: 'types' })
  const declared = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name)
  expect(declared).toEqual([
    'MainOrdersInsert',
    'MainOrdersInsertInsert',
    'MainOrders2',
    'MainOrders2Insert',
    'Tables',
  ])
})

test('the description of an action is next to its name', () => {
  const input = { description: 'Ships */ an order.', type: 'object' }
  expect(
    generate({ connections: {}, actions: { ship: { input } } }, { format: 'types' }),
  ).toContain(
    `export interface Actions {
  /** Ships *\\/ an order. */
  ship: ShipAction
}`,
  )
})

test.each(['types', 'kysely'] as const)('%s: there are actions before there is one', (format) => {
  expect(generate({ connections: {} }, { format })).toContain(
    'export type Actions = Record<never, never>\n',
  )
})

test.each(formats)('%s: the order of names in the document does not matter', (format) => {
  const { main } = schema.connections
  const reversed = <Value>(items: Readonly<Record<string, Value>> = {}) =>
    Object.fromEntries(Object.entries(items).reverse())
  const other: SchemaDocument = {
    actions: reversed({ ...schema.actions, another: { input: {} } }),
    connections: reversed({
      main: { type: 'postgres', tables: reversed(main?.tables) },
      also: { type: 'csv', tables: reversed(main?.tables) },
    }),
  }
  const same: SchemaDocument = {
    connections: { also: { type: 'csv', tables: main?.tables ?? {} }, ...schema.connections },
    actions: { another: { input: {} }, ...schema.actions },
  }
  expect(generate(other, { format })).toBe(generate(same, { format }))
})

test.each(formats)('%s: another table changes nothing that was there', (format) => {
  const { main } = schema.connections
  const tables = { ...main?.tables, extra: { columns: {}, relationships: {} } }
  const more: SchemaDocument = { ...schema, connections: { main: { type: 'postgres', tables } } }
  const lines = new Set(generate(more, { format }).split('\n'))
  const before = generate(schema, { format }).split('\n')
  expect(before.filter((line) => !lines.has(line))).toEqual([])
})
