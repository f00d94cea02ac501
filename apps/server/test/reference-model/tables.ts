/** @module The tables of the comparison: to-one, to-many and many-to-many relations, NULLs everywhere, few values. */
import type { Row, TableModel, Type, Value } from './shapes.ts'

const many = (table: string, to: string) => ({ many: true, steps: [{ table, to, from: 'id' }] })
const one = (table: string, from: string) => ({ many: false, steps: [{ table, to: 'id', from }] })
const through = (near: string, far: string, table: string) => ({
  many: true,
  steps: [
    { table: 'order_tags', to: near, from: 'id' },
    { table, to: 'id', from: far },
  ],
})

export const schema: Readonly<Record<string, TableModel>> = {
  customers: {
    columns: { id: 'int4', name: 'text', city: 'text', level: 'int4', vip: 'bool', data: 'jsonb' },
    defaults: { id: null, name: null, city: null, level: null, vip: null, data: null },
    relations: { orders: many('orders', 'customer_id') },
    references: {},
  },
  orders: {
    columns: {
      id: 'int4',
      customer_id: 'int4',
      tenant: 'text',
      status: 'text',
      total: 'int4',
      placed: 'timestamp',
    },
    defaults: {
      id: null,
      customer_id: null,
      tenant: null,
      status: 'new',
      total: null,
      placed: null,
    },
    relations: {
      customer: one('customers', 'customer_id'),
      order_tags: many('order_tags', 'order_id'),
      tags: through('order_id', 'tag_id', 'tags'),
    },
    references: { customer_id: 'customers' },
  },
  tags: {
    columns: { id: 'int4', name: 'text' },
    defaults: { id: null, name: null },
    relations: {
      order_tags: many('order_tags', 'tag_id'),
      orders: through('tag_id', 'order_id', 'orders'),
    },
    references: {},
  },
  order_tags: {
    columns: { id: 'int4', order_id: 'int4', tag_id: 'int4' },
    defaults: { id: null, order_id: null, tag_id: null },
    relations: { order: one('orders', 'order_id'), tag: one('tags', 'tag_id') },
    references: { order_id: 'orders', tag_id: 'tags' },
    unique: ['order_id', 'tag_id'],
  },
}

/** On PostgreSQL customers also have an array. */
export const schemaWithArrays: typeof schema = {
  ...schema,
  customers: {
    ...(schema['customers'] as TableModel),
    columns: { ...schema['customers']?.columns, labels: 'text[]' },
    defaults: { ...schema['customers']?.defaults, labels: null },
  },
}

/** In the order in which rows can be stored. */
export const tableNames = ['customers', 'orders', 'tags', 'order_tags'] as const

/** SQL that creates the tables, valid on every database. */
export function createTables(model: typeof schema): string {
  const type = (name: Type) => ({ int4: 'integer', bool: 'boolean' })[name as 'int4'] ?? name
  return tableNames
    .map((table) => {
      const { columns = {}, references = {}, unique } = model[table] ?? {}
      const lines = Object.entries(columns).map(([name, of]) => {
        const key = name === 'id' ? ' not null primary key' : ''
        const start = name === 'status' ? ` default 'new'` : ''
        const far = references[name] === undefined ? '' : ` references ${references[name]} (id)`
        return `${name} ${type(of)}${key}${start}${far}`
      })
      const key = unique === undefined ? '' : `, unique (${unique.join(', ')})`
      return `create table ${table} (${lines.join(', ')}${key});`
    })
    .join('\n')
}

export const emptyTables: string = tableNames
  .toReversed()
  .map((table) => `delete from ${table};`)
  .join('\n')

/** `insert` of rows, with their values in the text: a test uses it to fill tables without the engine. */
export function insertRows(model: typeof schema, table: string, rows: readonly Row[]): string {
  const columns = Object.entries(model[table]?.columns ?? {})
  return rows
    .map((row) => {
      const values = columns.map(([name, type]) => literal(row[name] ?? null, type))
      return `insert into ${table} (${columns.map(([name]) => name).join(', ')}) values (${values.join(', ')});`
    })
    .join('\n')
}

function literal(value: Value, type: Type): string {
  if (value === null) return 'null'
  if (type === 'int4' || type === 'bool') return String(value)
  const text = type === 'jsonb' || type === 'text[]' ? JSON.stringify(value) : String(value)
  const spelled = type === 'text[]' ? `{${text.slice(1, -1)}}` : text
  return `'${spelled.replaceAll("'", "''")}'`
}
