import { expect, test } from 'vitest'
import { buildCatalog } from '../../compiler/catalog/build-catalog.ts'
import type { IntrospectedColumn, IntrospectedTable } from '../../compiler/catalog/introspection.ts'
import { oids } from '../../compiler/sql-types/oids.ts'
import type { PgType } from '../../compiler/sql-types/pg-type.ts'
import { noTypmod } from '../../compiler/sql-types/typmod.ts'
import { describeCatalog } from './describe-catalog.ts'

function column(name: string, more: Partial<IntrospectedColumn> = {}): IntrospectedColumn {
  return {
    name,
    type: { oid: oids.int4, typmod: noTypmod },
    nullable: false,
    hasDefault: false,
    generated: 'no',
    nativeType: 'INT',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
    ...more,
  }
}

function table(name: string, more: Partial<IntrospectedTable> = {}): IntrospectedTable {
  return {
    schema: undefined,
    name,
    kind: 'table',
    comment: undefined,
    columns: [column('id', { hasDefault: true })],
    primaryKey: ['id'],
    uniqueKeys: [],
    foreignKeys: [],
    ...more,
  }
}

const line = table('lines', {
  columns: [column('order_id'), column('nr'), column('note', { nullable: true })],
  primaryKey: ['order_id', 'nr'],
  foreignKeys: [{ columns: ['order_id'], table: 'orders', references: ['id'] }],
})
const part = table('parts', {
  columns: [column('order_id'), column('nr'), column('piece')],
  primaryKey: ['order_id', 'nr', 'piece'],
  foreignKeys: [{ columns: ['order_id', 'nr'], table: 'lines', references: ['order_id', 'nr'] }],
})

function describe(tables: readonly IntrospectedTable[], types: readonly PgType[] = []) {
  const introspection = { tables, types }
  const connection = { name: 'main', kind: 'sqlite', introspection, relationships: {} } as const
  const catalog = buildCatalog([connection], 1, (path, message) => {
    throw new Error(`${path}: ${message}`)
  })
  return describeCatalog(catalog)
}

test('a column says how the database makes its values', () => {
  const options = {
    type: 'integer',
    start: '1',
    increment: '1',
    minimum: '1',
    maximum: '9',
    cache: '1',
    cycles: false,
  }
  const sequence = (use: 'identity' | 'owned') => ({
    key: 's',
    native: { schema: 'public', name: 's' },
    use,
    options,
  })
  const columns = [
    column('a', { hasDefault: true, generated: 'identity', sequences: [sequence('identity')] }),
    column('b', { hasDefault: true, sequences: [sequence('identity')] }),
    column('c', { hasDefault: true, sequences: [sequence('owned')] }),
    column('d', { hasDefault: true, generated: 'always' }),
  ]
  const described = describe([table('t', { columns, primaryKey: ['a'] })])
  const { a, b, c, d } = described['main']?.tables['t']?.columns ?? {}
  expect([a?.identity, b?.identity, c?.identity, d?.identity]).toEqual([
    'always',
    'byDefault',
    undefined,
    undefined,
  ])
  expect([a, b, c, d].map((each) => each && 'generated' in each)).toEqual([
    false,
    false,
    false,
    true,
  ])
})

test('a column says its type, NULL, default and key', () => {
  expect(describe([table('orders'), line])['main']?.tables['lines']?.columns).toEqual({
    order_id: { type: 'integer', nullable: false, hasDefault: false, primaryKey: true },
    nr: { type: 'integer', nullable: false, hasDefault: false, primaryKey: true },
    note: { type: 'integer', nullable: true, hasDefault: false, primaryKey: false },
  })
})

test('a column lists values that fit its type', () => {
  const of = (oid: number, ...values: readonly (string | number)[]) => ({
    type: { oid, typmod: noTypmod },
    listed: { kind: 'one', values } as const,
  })
  const columns = [
    column('texts', of(oids.text, 'a', '')),
    column('integers', of(oids.int4, 1, '-2')),
    column('none', of(oids.int4)),
    column('fractions', of(oids.int4, 1.5)),
    column('empty', of(oids.int4, '')),
    column('numbers', of(oids.text, 'a', 1)),
    column('days', of(oids.date, '2020-01-01')),
    column('set', { ...of(oids.text), listed: { kind: 'several', values: ['a', 'b'] } }),
  ]
  const described = describe([table('t', { columns, primaryKey: [] })])['main']?.tables['t']
  const lists = Object.entries(described?.columns ?? {}).map(([name, { enum: values, set }]) => [
    name,
    values,
    set,
  ])
  expect(lists).toEqual([
    ['texts', ['a', ''], undefined],
    ['integers', [1, -2], undefined],
    ['none', undefined, undefined],
    ['fractions', undefined, undefined],
    ['empty', undefined, undefined],
    ['numbers', undefined, undefined],
    ['days', undefined, undefined],
    ['set', undefined, ['a', 'b']],
  ])
})

test('a table and a column have their comments', () => {
  const columns = [column('id', { comment: 'Its number.' }), column('name')]
  const described = describe([table('t', { columns, comment: 'Things.' })])['main']?.tables['t']
  expect([described?.comment, described?.columns['id']?.comment]).toEqual([
    'Things.',
    'Its number.',
  ])
  expect(described?.columns['name']).not.toHaveProperty('comment')
})

test('one column of a relation is a text, several are a list', () => {
  const tables = describe([table('orders'), line, part])['main']?.tables
  expect(tables?.['lines']?.relationships).toEqual({
    order: { table: 'main.orders', type: 'many-to-one', from: 'order_id', to: 'id' },
    parts: {
      table: 'main.parts',
      type: 'one-to-many',
      from: ['order_id', 'nr'],
      to: ['order_id', 'nr'],
    },
  })
})

test('the same structure is the same text, whatever order it is listed in', () => {
  const tables = [table('orders'), line, part]
  const text = JSON.stringify(describe(tables))
  expect(JSON.stringify(describe(tables.toReversed()))).toBe(text)
  expect(Object.keys(describe(tables.toReversed())['main']?.tables ?? {})).toEqual([
    'lines',
    'orders',
    'parts',
  ])
})

test('a name is a key, even one that objects know', () => {
  const described = describe([
    table('__proto__', { columns: [column('constructor'), column('__proto__')], primaryKey: [] }),
  ])
  expect(Object.keys(described['main']?.tables ?? {})).toEqual(['__proto__'])
  expect(JSON.stringify(described)).toContain('"__proto__":{"columns":{"constructor":{')
})

test('a domain that refuses NULL does so for its column, but not for that of a view', () => {
  const domain: PgType = {
    oid: 20_001,
    name: 'positive',
    category: 'N',
    isPreferred: false,
    kind: 'domain',
    baseOid: oids.int4,
    isNotNull: true,
    isCollatable: false,
    isNameable: true,
  }
  const columns = [column('n', { type: { oid: 20_001, typmod: noTypmod }, nullable: true })]
  const shape = { columns, primaryKey: [] }
  const tables = [table('numbers', shape), table('seen', { ...shape, kind: 'view' })]
  const described = describe(tables, [domain])['main']?.tables
  expect(described?.['numbers']?.columns['n']).toMatchObject({ type: 'integer', nullable: false })
  expect(described?.['seen']?.columns['n']?.nullable).toBe(true)
})
