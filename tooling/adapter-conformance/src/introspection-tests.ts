import type { Table } from '@engine/core/catalog'
import { portableTables } from '@engine/fixtures'
import { expect, test } from 'vitest'
import type { Opened } from './opened.ts'

type FindTable = (name: string) => Table

/** The shop as every database describes it. */
export function introspectionTests({ engine, has }: Opened): void {
  const table: FindTable = (name) => {
    const found = engine().catalog().connections.get('main')?.tables.get(name)
    if (found === undefined) throw new Error(`there is no table ${name}`)
    return found
  }
  const namesOf = (name: string, ordinals: readonly number[]) =>
    ordinals.map((ordinal) => table(name).columns[ordinal]?.name)

  test('tables are found', () => {
    expect(table('orders').kind).toBe('table')
  })

  test('columns come in order, with PostgreSQL types and nullability', () => {
    const { types } = engine().catalog().connections.get('main') ?? {}
    const columns = table('products').columns.map(({ name, type, nullable }) => [
      name,
      types?.formatType(type.oid, type.typmod),
      nullable && has('constraints'),
    ])
    expect(columns).toEqual(
      expect.arrayContaining([
        ['id', 'integer', false],
        ['name', 'text', false],
        ['unit_price', 'numeric(10,2)', false],
        ['discontinued', 'boolean', false],
        ['weight_kg', 'double precision', has('constraints')],
        ['created_at', 'timestamp without time zone', false],
        ['released_on', 'date', has('constraints')],
        ['external_id', 'uuid', has('constraints')],
      ]),
    )
    expect(columns[0]?.[0]).toBe('id')
    // Only the database may know the length limit.
    const sku = columns.find(([name]) => name === 'sku')
    expect(['character varying(20)', 'text']).toContain(sku?.[1])
  })

  test('primary keys, also of several columns', () => {
    expect(namesOf('orders', table('orders').primaryKey)).toEqual(['id'])
    expect(namesOf('order_items', table('order_items').primaryKey)).toEqual([
      'order_id',
      'product_id',
    ])
  })

  if (has('views')) {
    test('views are found', () => {
      expect(table('customer_totals').kind).toBe('view')
    })
  }
  if (has('defaults')) defaultTests(table)
  if (has('constraints')) constraintTests(table, namesOf)
}

function defaultTests(table: FindTable): void {
  test('a column with a default says so', () => {
    const byName = new Map(table('products').columns.map((column) => [column.name, column]))
    expect(byName.get('units_in_stock')?.hasDefault).toBe(true)
    expect(byName.get('name')?.hasDefault).toBe(false)
  })
}

function constraintTests(
  table: FindTable,
  namesOf: (name: string, ordinals: readonly number[]) => readonly (string | undefined)[],
): void {
  test('unique keys', () => {
    const keys = table('products').uniqueKeys.map((key) => namesOf('products', key))
    expect(keys).toContainEqual(['sku'])
  })

  test('foreign keys are relations in both directions', () => {
    expect(table('orders').relationships.get('customer')).toMatchObject({
      type: 'many-to-one',
      table: 'customers',
      from: ['customer_id'],
      to: ['id'],
    })
    expect(table('customers').relationships.get('orders')).toMatchObject({ type: 'one-to-many' })
    expect(table('customers').relationships.get('customer_profiles')?.type).toBe('one-to-one')
  })

  test('what becomes of rows when those that they refer to go', () => {
    const actions = portableTables().map(({ table: { name, foreignKeys } }) => [
      name,
      foreignKeys.map(({ columns, onDelete }) => [columns, onDelete]).toSorted(),
    ])
    const found = portableTables().map(({ table: { name } }) => [
      name,
      table(name)
        .foreignKeys.map(({ columns, onDelete }) => [namesOf(name, columns), onDelete])
        .toSorted(),
    ])
    expect(found).toEqual(actions)
  })

  test('a junction is a many-to-many relation', () => {
    expect(table('products').relationships.get('tags')).toMatchObject({
      type: 'many-to-many',
      through: { table: 'product_tags', from: ['product_id'], to: ['tag_id'] },
    })
  })
}
