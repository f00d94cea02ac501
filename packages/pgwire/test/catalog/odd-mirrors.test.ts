import { createTypeSystem, type PgType } from '@engine/core/catalog'
import type { VisibleCatalog, VisibleTable } from '@engine/core/session'
import { afterAll, expect, test } from 'vitest'
import { catalogNumbers } from '../../src/catalog/catalog-numbers.ts'
import { ask, scopeOf } from '../support/ask-catalog.ts'
import { openCatalog } from '../support/open-catalog.ts'
import { visibleShop } from '../support/visible-shop.ts'

const { catalog, complaints } = openCatalog()
afterAll(() => catalog.close())

const [main] = visibleShop.connections
const [customers, orders] = main?.tables ?? []

/** One schema of these tables. */
function catalogOf(key: string, tables: readonly (VisibleTable | undefined)[]): VisibleCatalog {
  if (main === undefined) throw new Error('the shop has no connection')
  return {
    key,
    connections: [{ ...main, tables: tables.filter((table) => table !== undefined) }],
  }
}

const check = (name: string, definition: string) => ({ name, definition })

test('what cannot be mirrored is left out by itself', async () => {
  const visible = catalogOf('odd', [
    customers && {
      ...customers,
      checks: [
        check('fine', 'CHECK ((length((name)::text) > 0))'),
        check('hidden', 'CHECK (hidden_function(name))'),
        check('not_a_check', 'CHECK (true); drop schema main cascade'),
      ],
      indexes: [
        { name: 'by_name', columns: ['name'] },
        { name: 'by_nothing', columns: ['nope'] },
      ],
    },
    orders && {
      ...orders,
      // No key of the other table.
      foreignKeys: [
        {
          columns: ['customer_id'],
          table: 'customers',
          references: ['name'],
          onDelete: undefined,
          onUpdate: undefined,
        },
        {
          columns: ['customer_id'],
          table: 'customers',
          references: ['id'],
          onDelete: 'set null',
          onUpdate: 'cascade',
        },
      ],
    },
    orders && { ...orders, name: 'x'.repeat(70), primaryKey: [], foreignKeys: [] },
  ])
  const rows = await ask(
    catalog,
    `select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'main'::regnamespace
      and contype in ('c', 'f') order by 1`,
    scopeOf({ visible }),
  )
  expect(rows).toEqual([
    ['fine', 'CHECK ((length((name)::text) > 0))'],
    [
      'orders_customer_id_fkey',
      'FOREIGN KEY (customer_id) REFERENCES customers(id) ON UPDATE CASCADE ON DELETE SET NULL',
    ],
  ])
  expect(
    await ask(
      catalog,
      `select indexname from pg_indexes where schemaname = 'main' and indexname not like '%key' order by 1`,
      scopeOf({ visible }),
    ),
  ).toEqual([['by_name']])
  expect(complaints).toMatchObject([{ facts: { count: 3 } }])
  const { columnNumber } = catalogNumbers(visible)
  expect(columnNumber('main', 'x'.repeat(70), 'status')?.columnNumber).toBe(3)
})

test('a table whose types cannot be made has its columns all the same', async () => {
  const label = 'x'.repeat(64)
  const mood: PgType = {
    ...{ oid: 30_000, name: 'mood', kind: 'enum', category: 'E', schema: 'public' },
    ...{ isPreferred: false, isCollatable: false, isNameable: true, enumLabels: [label] },
  }
  const [id] = customers?.columns ?? []
  if (main === undefined || customers === undefined || id === undefined) throw new Error('no shop')
  const column = {
    ...id,
    column: { ...id.column, name: 'mood', type: { oid: 30_000, typmod: -1 } },
  }
  const table = { ...customers, columns: [id, column], uniqueKeys: [], comment: undefined }
  const types = createTypeSystem({ types: [mood] })
  const visible = { key: 'types', connections: [{ ...main, types, tables: [table] }] }
  expect(
    await ask(
      catalog,
      `select attname, atttypid::regtype from pg_attribute where attrelid = 'main.customers'::regclass and attnum > 0`,
      scopeOf({ visible }),
    ),
  ).toEqual([
    ['id', 'integer'],
    ['mood', 'text'],
  ])
  expect(catalogNumbers(visible).typeOid('main', 30_000)).toBe(30_000)
})

test('ranges, multiranges and their arrays have the numbers of the catalog, whatever their bounds are', async () => {
  const own = {
    category: 'R',
    isPreferred: false,
    isCollatable: false,
    isNameable: true,
    schema: 'p',
  }
  const range = (oid: number, name: string, subtypeOid: number): readonly PgType[] => [
    {
      ...own,
      oid,
      name,
      kind: 'range',
      arrayOid: oid + 1,
      subtypeOid,
      multirangeOid: oid + 2,
    },
    { ...own, oid: oid + 1, name: `_${name}`, kind: 'base', category: 'A', elementOid: oid },
    { ...own, oid: oid + 2, name: `${name}s`, kind: 'multirange' },
  ]
  // Points have no order.
  const types = createTypeSystem({
    types: [...range(30_100, 'span', 25), ...range(30_200, 'way', 600)],
  })
  if (main === undefined || customers === undefined) throw new Error('the shop has no connection')
  const [id] = customers.columns
  if (id === undefined) throw new Error('no column')
  const column = (name: string, oid: number) => ({
    ...id,
    column: { ...id.column, name, type: { oid, typmod: -1 } },
  })
  const columns = [30_100, 30_101, 30_102, 30_200, 30_202].map((oid, i) => column(`c${i}`, oid))
  const table = {
    ...customers,
    columns,
    primaryKey: [],
    uniqueKeys: [],
    comment: undefined,
  }
  const visible = { key: 'ranges', connections: [{ ...main, types, tables: [table] }] }
  const found = await ask(
    catalog,
    `select a.atttypid::regtype, t.typtype, a.atttypid from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = 'main.customers'::regclass and a.attnum > 0 order by a.attnum`,
    scopeOf({ visible }),
  )
  expect(found.map(([name, kind]) => [name, kind])).toEqual([
    ['span', 'r'],
    ['span[]', 'b'],
    ['spans', 'm'],
    ['way', 'b'],
    ['ways', 'b'],
  ])
  const numbers = catalogNumbers(visible)
  const known = [30_100, 30_101, 30_102, 30_200, 30_202].map((oid) => numbers.typeOid('main', oid))
  expect(known.map(String)).toEqual(found.map(([, , oid]) => oid))
})

test('a table of a hidden column has only what is visible', async () => {
  const visible = catalogOf('narrow', [
    customers && {
      ...customers,
      columns: customers.columns.slice(0, 1),
      uniqueKeys: [],
      comment: undefined,
    },
  ])
  expect(
    await ask(
      catalog,
      `select attname from pg_attribute where attrelid = 'main.customers'::regclass and attnum > 0`,
      scopeOf({ visible }),
    ),
  ).toEqual([['id']])
})
