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

/** A new row of "customers" in the connection "main". */
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

/** A new row of "orders" in the connection "main". */
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
  expect(generate(schema, { format: 'drizzle', connections: ['main'] })).toBe(`${header}
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
  const next = { format: 'drizzle', drizzleVersion: 1, connections: ['main'] } as const
  expect(generate(schema, next)).toContain(`
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

test.each(formats)('%s: another connection changes nothing that was there', (format) => {
  const { main } = schema.connections
  const id = { ...key, type: 'integer' }
  const shop = {
    ...main?.tables,
    // Two relations between the same tables, which have names of their own in Drizzle.
    parcels: {
      columns: { id, order_id: id, return_of: id },
      relationships: {
        order: { table: 'main.orders', type: 'many-to-one', from: 'order_id', to: 'id' },
        return_of: { table: 'main.orders', type: 'many-to-one', from: 'return_of', to: 'id' },
      },
    },
    schema: { columns: { id }, relationships: {} },
  } as const
  const also = Object.fromEntries(
    Object.entries(shop).map(([name, { columns, relationships }]) => [
      name,
      {
        columns,
        relationships: Object.fromEntries(
          Object.entries(relationships).map(([relation, description]) => [
            relation,
            { ...description, table: description.table.replace('main.', 'also.') },
          ]),
        ),
      },
    ]),
  )
  const before: SchemaDocument = { connections: { main: { type: 'postgres', tables: shop } } }
  const after: SchemaDocument = {
    connections: {
      also: { type: 'sqlite', tables: also },
      ...before.connections,
      main_schema: { type: 'csv', tables: also },
    },
  }
  for (const drizzleVersion of [0, 1] as const) {
    const options = { format, drizzleVersion }
    const lines = new Set(generate(after, options).split('\n'))
    const missing = generate(before, options)
      .split('\n')
      // All tables are listed in one line.
      .filter((line) => !lines.has(line) && !line.includes('defineRelations('))
    expect(missing).toEqual([])
    const chosen = { ...options, connections: ['main'] }
    expect(generate(after, chosen)).toBe(generate(before, chosen))
  }
})

test('a table of a chosen connection has its own name in Drizzle, else the connection comes before it', () => {
  const named = (connections?: readonly string[]) =>
    generate(schema, { format: 'drizzle', ...(connections && { connections }) })
  expect(named()).toContain("export const mainOrders = mainSchema.table('orders'")
  expect(named(['main'])).toContain("export const orders = mainSchema.table('orders'")
})

const film: SchemaDocument = {
  connections: {
    main: {
      type: 'mysql',
      tables: {
        film: {
          comment: 'What is */ rented.\nSince 2005.',
          columns: {
            rating: { ...plain, type: 'text', enum: ['G', "it's"], hasDefault: true },
            stars: { ...plain, type: 'smallint', enum: [1, -2], nullable: true },
            code: { ...plain, type: 'character(1)', enum: ['Y', 'N'], comment: 'Yes or no.' },
            moods: { ...plain, type: 'mood[]', enum: ['sad'] },
            extras: { ...plain, type: 'text', set: ['Trailers', 'Scenes'] },
            year: { ...plain, type: 'integer', domain: 'year', comment: 'Of its release.' },
          },
          relationships: {},
        },
      },
    },
  },
}

test.each([
  [
    'types',
    [
      `export type SetOf<`,
      `/** A row of "film" in the connection "main". What is *\\/ rented. Since 2005. */`,
      `  rating: 'G' | 'it\\'s'`,
      `  rating?: 'G' | 'it\\'s'`,
      `  stars: 1 | -2 | null`,
      `  /** Yes or no. */\n  code: 'Y' | 'N'`,
      `  moods: ('sad' | null)[]`,
      `  extras: SetOf<['Trailers', 'Scenes']>`,
      `  /** Of its release. Domain "year". */\n  year: number`,
    ],
  ],
  [
    'kysely',
    [
      `  rating: Generated<'G' | 'it\\'s'>`,
      `  stars: 1 | -2 | null`,
      `  /** Yes or no. */\n  code: 'Y' | 'N'`,
      `  moods: ('sad' | null)[]`,
      `  extras: SetOf<['Trailers', 'Scenes']>`,
    ],
  ],
  [
    'zod',
    [
      `  rating: z.enum(['G', 'it\\'s']),`,
      `  rating: z.enum(['G', 'it\\'s']).optional(),`,
      `  stars: z.literal([1, -2]).nullable(),`,
      `  moods: z.array(z.enum(['sad']).nullable()),`,
      `  extras: setOf(['Trailers', 'Scenes']),`,
      `  /** Yes or no. */\n  code: z.enum(['Y', 'N']),`,
    ],
  ],
  [
    'drizzle',
    [
      `/** "film" in the connection "main". What is *\\/ rented. Since 2005. */`,
      `  rating: text('rating', { enum: ['G', 'it\\'s'] }).notNull().default(sql\`default\`),`,
      `  stars: smallint('stars').$type<1 | -2>(),`,
      `  code: char('code', { length: 1, enum: ['Y', 'N'] }).notNull(),`,
      `  moods: text('moods', { enum: ['sad'] }).array().notNull(),`,
      `  extras: text('extras').$type<SetOf<['Trailers', 'Scenes']>>().notNull(),`,
      `  /** Of its release. Domain "year". */\n  year: integer('year').notNull(),`,
    ],
  ],
  [
    'permissions',
    [
      `      rating: { type: 'text'; values: 'G' | 'it\\'s' }`,
      `      stars: { type: 'smallint'; values: 1 | -2 }`,
      `      moods: { type: 'mood[]'; values: 'sad' }`,
      `      extras: 'text'`,
      `      /** Of its release. Domain "year". */\n      year: 'integer'`,
    ],
  ],
] as const)('%s: listed values are unions, comments are TSDoc', (format, parts) => {
  const text = generate(film, { format })
  for (const part of parts) expect(text).toContain(part)
})

test('a set of many members is a text', () => {
  const set = Array.from({ length: 9 }, (_, index) => `m${index}`)
  const columns = { many: { ...plain, type: 'text', set } }
  const tables = { t: { columns, relationships: {} } }
  const text = generate({ connections: { main: { type: 'mysql', tables } } }, { format: 'types' })
  expect(text).toContain('  many: string\n')
  expect(text).not.toContain('SetOf')
})
