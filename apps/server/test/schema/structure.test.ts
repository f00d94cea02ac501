/** Interface specification 2.6: tables, columns, relations and actions in `GET /schema`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SchemaDocument, TableDescription } from '@engine/contract'
import { type Config, defineAction } from '@engine/core'
import { startLibsql } from '@engine/test-databases'
import { describeLibsql } from '@engine/test-databases/vitest'
import { createClient } from '@libsql/client/web'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeDatabases, openSqlite } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'

const statements = [
  'create table employees (id integer primary key, name text not null, manager_id integer references employees (id))',
  'create table customers (id integer primary key, name text not null)',
  `create table profiles (
     id integer primary key,
     customer_id integer not null unique references customers (id),
     bio text
   )`,
  `create table orders (
     id integer primary key,
     buyer_id integer not null references customers (id),
     payer_id integer references customers (id),
     total numeric(10,2) not null default 0
   )`,
  `create table order_lines (
     order_id integer not null references orders (id),
     nr integer not null,
     primary key (order_id, nr)
   )`,
  `create table parcels (
     id integer primary key,
     order_id integer not null,
     line_nr integer not null,
     foreign key (order_id, line_nr) references order_lines (order_id, nr)
   )`,
  'create table tags (id integer primary key, name text not null)',
  `create table order_tags (
     order_id integer not null references orders (id),
     tag_id integer not null references tags (id),
     primary key (order_id, tag_id)
   )`,
  'create table notes (id integer primary key, about integer)',
  'create view dear_orders as select id, total from orders where total > 100',
]

const relationships = {
  orders: { order_lines: { rename: 'lines' } },
  notes: {
    subject: { table: 'main.orders', type: 'many-to-one', from: 'about', to: 'id' },
  },
} as const

/** `relation: type table from -> to` of every relation. */
function relationsOf(tables: Readonly<Record<string, TableDescription>>) {
  const text = (columns: string | readonly string[]) =>
    typeof columns === 'string' ? columns : `[${columns.join(' ')}]`
  return Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [
      name,
      Object.entries(table.relationships).map(
        ([relation, { type, table: other, from, to }]) =>
          `${relation}: ${type} ${other} ${text(from)} -> ${text(to)}`,
      ),
    ]),
  )
}

const expectedRelations = {
  customers: [
    'orders_by_buyer_id: one-to-many main.orders id -> buyer_id',
    'orders_by_payer_id: one-to-many main.orders id -> payer_id',
    'profiles: one-to-one main.profiles id -> customer_id',
  ],
  dear_orders: [],
  employees: [
    'employees: one-to-many main.employees id -> manager_id',
    'manager: many-to-one main.employees manager_id -> id',
  ],
  notes: ['subject: many-to-one main.orders about -> id'],
  order_lines: [
    'order: many-to-one main.orders order_id -> id',
    'parcels: one-to-many main.parcels [order_id nr] -> [order_id line_nr]',
  ],
  order_tags: [
    'order: many-to-one main.orders order_id -> id',
    'tag: many-to-one main.tags tag_id -> id',
  ],
  orders: [
    'buyer: many-to-one main.customers buyer_id -> id',
    'lines: one-to-many main.order_lines id -> order_id',
    'notes: one-to-many main.notes id -> about',
    'order_tags: one-to-many main.order_tags id -> order_id',
    'payer: many-to-one main.customers payer_id -> id',
    'tags: many-to-many main.tags id -> id',
  ],
  parcels: ['order_lines: many-to-one main.order_lines [order_id line_nr] -> [order_id nr]'],
  profiles: ['customer: one-to-one main.customers customer_id -> id'],
  tags: [
    'order_tags: one-to-many main.order_tags id -> tag_id',
    'orders: many-to-many main.orders id -> id',
  ],
}

async function describeConfig(config: Config): Promise<SchemaDocument> {
  const gateway = await openGateway({ ...config, schemaEndpoint: true })
  try {
    const response = await gateway.fetch(new Request('http://gateway.test/schema'))
    expect(response.status).toBe(200)
    return (await response.json()) as SchemaDocument
  } finally {
    await gateway.close()
  }
}

describeDatabases('GET /schema', (open, kind) => {
  test('lists tables, views, columns and relations, the same on every database', async () => {
    // MariaDB ignores references that are declared with a column.
    const outOfLine = (sql: string) =>
      sql.replace(
        /(\w+)( integer[\w ]*?) references (\w+) \((\w+)\)/g,
        '$1$2, foreign key ($1) references $3 ($4)',
      )
    const setUp = statements.map((sql) => (kind === 'mysql' ? outOfLine(sql) : sql)).join(';\n')
    const database = await open(setUp)
    try {
      const { connections, actions } = await describeConfig({
        connections: { main: { url: database.url, relationships } },
      })
      expect(actions).toBeUndefined()
      const tables = connections['main']?.tables ?? {}
      expect(connections['main']?.type).toBe(kind)
      expect(relationsOf(tables)).toEqual(expectedRelations)
      expect(Object.keys(tables)).toEqual(Object.keys(expectedRelations))
      expect(tables['orders']?.columns).toEqual({
        id: {
          type: 'integer',
          nullable: false,
          hasDefault: kind === 'sqlite',
          primaryKey: true,
        },
        buyer_id: { type: 'integer', nullable: false, hasDefault: false, primaryKey: false },
        payer_id: { type: 'integer', nullable: true, hasDefault: false, primaryKey: false },
        total: { type: 'numeric(10,2)', nullable: false, hasDefault: true, primaryKey: false },
      })
      expect(tables['order_lines']?.columns).toEqual({
        order_id: { type: 'integer', nullable: false, hasDefault: false, primaryKey: true },
        nr: { type: 'integer', nullable: false, hasDefault: false, primaryKey: true },
      })
      expect(Object.keys(tables['dear_orders']?.columns ?? {})).toEqual(['id', 'total'])
    } finally {
      await database.remove()
    }
  })
})

describeLibsql('GET /schema, on libSQL', () => {
  test('lists the same; the connection is of type sqlite', async () => {
    const server = await startLibsql()
    const client = createClient({ url: server.url })
    try {
      await client.batch([...statements], 'write')
      const { connections } = await describeConfig({
        connections: { main: { url: server.url, relationships } },
      })
      expect(connections['main']?.type).toBe('sqlite')
      expect(relationsOf(connections['main']?.tables ?? {})).toEqual(expectedRelations)
    } finally {
      client.close()
      await server.stop()
    }
  })
})

test('GET /schema of CSV files has found types, declared keys and relations', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-schema-'))
  try {
    writeFileSync(join(directory, 'cities.csv'), 'code,name,area\nOSL,Oslo,454.1\nROM,Rome,\n')
    writeFileSync(join(directory, 'people.csv'), 'id,city,born\n1,OSL,2001-02-03\n2,,1999-12-31\n')
    const { connections } = await describeConfig({
      connections: {
        files: {
          directory,
          tables: { cities: { key: 'code' } },
          relationships: {
            people: { home: { table: 'cities', type: 'many-to-one', from: 'city', to: 'code' } },
          },
        },
      },
    })
    expect(connections).toEqual({
      files: {
        type: 'csv',
        tables: {
          cities: {
            columns: {
              code: { type: 'text', nullable: false, hasDefault: false, primaryKey: true },
              name: { type: 'text', nullable: true, hasDefault: false, primaryKey: false },
              area: { type: 'numeric(15,1)', nullable: true, hasDefault: false, primaryKey: false },
            },
            relationships: {
              people: { table: 'files.people', type: 'one-to-many', from: 'code', to: 'city' },
            },
          },
          people: {
            columns: {
              id: { type: 'integer', nullable: false, hasDefault: false, primaryKey: true },
              city: { type: 'text', nullable: true, hasDefault: false, primaryKey: false },
              born: { type: 'date', nullable: true, hasDefault: false, primaryKey: false },
            },
            relationships: {
              home: { table: 'files.cities', type: 'many-to-one', from: 'city', to: 'code' },
            },
          },
        },
      },
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})

test('GET /schema lists actions with the schemas of input and output', async () => {
  const database = await openSqlite()
  const { actions } = await describeConfig({
    connections: { main: database.url },
    actions: {
      place_order: defineAction({
        roles: ['customer'],
        input: z.object({ product: z.int(), count: z.int().default(1) }),
        output: z.object({ order: z.int() }),
        run: async () => ({ order: 1 }),
      }),
      ping: defineAction({ roles: ['*'], input: z.object({}), run: async () => undefined }),
    },
  })
  await database.remove()
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const integer = expect.objectContaining({ type: 'integer' })
  expect(actions).toEqual({
    ping: { input: { $schema, type: 'object', properties: {} } },
    place_order: {
      input: {
        $schema,
        type: 'object',
        properties: { product: integer, count: expect.objectContaining({ default: 1 }) },
        required: ['product'],
      },
      output: {
        $schema,
        type: 'object',
        properties: { order: integer },
        required: ['order'],
        additionalProperties: false,
      },
    },
  })
})
