import type { ColumnDescription, SchemaDocument } from '@engine/contract'

type Flag = 'null' | 'default' | 'key'

function column(type: string, ...flags: readonly Flag[]): ColumnDescription {
  return {
    type,
    nullable: flags.includes('null'),
    hasDefault: flags.includes('default'),
    primaryKey: flags.includes('key'),
  }
}

/** Every type for which a generator has a special case. */
const everyType = [
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
  'numeric',
  'numeric(10,2)',
  'bytea',
  'json',
  'jsonb',
  'text',
  'character varying(20)',
  'character(3)',
  'uuid',
  'date',
  'time without time zone',
  'time(3) with time zone',
  'timestamp without time zone',
  'timestamp(3) with time zone',
  'interval',
  'inet',
  'cidr',
  'macaddr',
  'macaddr8',
  'point',
  'line',
  'mood',
  'int4range',
  'integer[]',
  'numeric(10,2)[]',
  'timestamp with time zone[]',
  'bytea[]',
  'jsonb[]',
  'mood[]',
]

const samples = Object.fromEntries(
  everyType.flatMap((type, index) => [
    [`c${index}`, column(type)],
    [`n${index}`, column(type, 'null')],
    [`d${index}`, column(type, 'default')],
  ]),
)

/** A shop with relations of every kind, and names that are words of TypeScript and of the libraries. */
export const shopSchema: SchemaDocument = {
  connections: {
    main: {
      type: 'postgres',
      tables: {
        customers: {
          columns: {
            id: column('integer', 'key', 'default'),
            name: column('text'),
            email: column('text', 'null'),
          },
          relationships: {
            orders_by_buyer_id: {
              table: 'main.orders',
              type: 'one-to-many',
              from: 'id',
              to: 'buyer_id',
            },
            orders_by_payer_id: {
              table: 'main.orders',
              type: 'one-to-many',
              from: 'id',
              to: 'payer_id',
            },
            profiles: {
              table: 'main.profiles',
              type: 'one-to-one',
              from: 'id',
              to: 'customer_id',
            },
          },
        },
        profiles: {
          columns: {
            customer_id: column('integer', 'key'),
            bio: column('text', 'null'),
          },
          relationships: {
            customer: {
              table: 'main.customers',
              type: 'one-to-one',
              from: 'customer_id',
              to: 'id',
            },
          },
        },
        employees: {
          columns: {
            id: column('integer', 'key', 'default'),
            manager_id: column('integer', 'null'),
            deputy_id: column('integer', 'null'),
          },
          relationships: {
            manager: {
              table: 'main.employees',
              type: 'many-to-one',
              from: 'manager_id',
              to: 'id',
            },
            employees: {
              table: 'main.employees',
              type: 'one-to-many',
              from: 'id',
              to: 'manager_id',
            },
            deputy: {
              table: 'main.employees',
              type: 'one-to-one',
              from: 'deputy_id',
              to: 'id',
            },
            deputy_of: {
              table: 'main.employees',
              type: 'one-to-one',
              from: 'id',
              to: 'deputy_id',
            },
          },
        },
        orders: {
          columns: {
            id: column('bigint', 'key', 'default'),
            buyer_id: column('integer'),
            payer_id: column('integer', 'null'),
            total: column('numeric(10,2)', 'default'),
            placed: column('timestamp with time zone', 'default'),
            lines: column('jsonb', 'null'),
          },
          relationships: {
            buyer: { table: 'main.customers', type: 'many-to-one', from: 'buyer_id', to: 'id' },
            payer: { table: 'main.customers', type: 'many-to-one', from: 'payer_id', to: 'id' },
            lines: { table: 'main.order_lines', type: 'one-to-many', from: 'id', to: 'order_id' },
            tags: { table: 'main.tags', type: 'many-to-many', from: 'id', to: 'id' },
            order_tags: {
              table: 'main.order_tags',
              type: 'one-to-many',
              from: 'id',
              to: 'order_id',
            },
          },
        },
        order_lines: {
          columns: {
            order_id: column('bigint', 'key'),
            nr: column('integer', 'key'),
            product: column('text'),
          },
          relationships: {
            order: { table: 'main.orders', type: 'many-to-one', from: 'order_id', to: 'id' },
            parcels: {
              table: 'main.parcels',
              type: 'one-to-many',
              from: ['order_id', 'nr'],
              to: ['order_id', 'line_nr'],
            },
          },
        },
        parcels: {
          columns: {
            id: column('integer', 'key', 'default'),
            order_id: column('bigint'),
            line_nr: column('integer'),
          },
          relationships: {
            order_lines: {
              table: 'main.order_lines',
              type: 'many-to-one',
              from: ['order_id', 'line_nr'],
              to: ['order_id', 'nr'],
            },
          },
        },
        tags: {
          columns: { id: column('integer', 'key', 'default'), name: column('text') },
          relationships: {
            orders: { table: 'main.orders', type: 'many-to-many', from: 'id', to: 'id' },
            order_tags: { table: 'main.order_tags', type: 'one-to-many', from: 'id', to: 'tag_id' },
          },
        },
        order_tags: {
          columns: { order_id: column('bigint', 'key'), tag_id: column('integer', 'key') },
          relationships: {
            order: { table: 'main.orders', type: 'many-to-one', from: 'order_id', to: 'id' },
            tag: { table: 'main.tags', type: 'many-to-one', from: 'tag_id', to: 'id' },
          },
        },
        notes: {
          columns: { id: column('integer', 'key', 'default'), about: column('bigint', 'null') },
          relationships: {},
        },
        samples: { columns: samples, relationships: {} },
      },
    },
    logs: {
      type: 'csv',
      tables: {
        // The same name as in the other connection, and one direction of a relation only.
        customers: {
          columns: { code: column('text', 'key'), "it's": column('text', 'null') },
          relationships: {
            visits: { table: 'logs.visits', type: 'one-to-many', from: 'code', to: 'customer' },
          },
        },
        visits: { columns: { customer: column('text', 'null') }, relationships: {} },
        class: {
          columns: {
            constructor: column('text'),
            ['__proto__']: column('text'),
            a_b: column('text'),
            aB: column('text'),
            'get sql': column('integer', 'null'),
            '*/': column('text', 'null'),
          },
          relationships: {},
        },
        text: { columns: { text: column('text') }, relationships: {} },
        sql: { columns: { default: column('text', 'default') }, relationships: {} },
        relations: { columns: { one: column('text'), many: column('text') }, relationships: {} },
        ['__proto__']: { columns: { id: column('integer') }, relationships: {} },
        '🙂': { columns: { '🙂': column('integer') }, relationships: {} },
        json: { columns: { json: column('json') }, relationships: {} },
      },
    },
    empty: { type: 'sqlite', tables: {} },
  },
  actions: {
    place_order: {
      input: {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                product: { type: 'integer' },
                count: { type: 'integer', default: 1 },
              },
              required: ['product'],
            },
          },
          speed: { enum: ['fast', 'slow', null] },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] },
          more: { type: 'object', additionalProperties: { type: 'string' } },
        },
        required: ['items'],
      },
      output: {
        type: 'object',
        properties: { order: { type: 'string' } },
        required: ['order'],
        additionalProperties: false,
      },
    },
    'tree.walk': {
      input: {
        $ref: '#/$defs/tree',
        $defs: {
          tree: {
            type: 'object',
            properties: {
              value: { type: 'number' },
              children: { type: 'array', items: { $ref: '#/$defs/tree' } },
            },
            required: ['value'],
          },
        },
      },
    },
    ping: { input: {} },
  },
}
