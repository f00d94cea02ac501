import type { Engine } from '@engine/core'
import { expect, test } from 'vitest'

/** The shop as every database describes it. */
export function introspectionTests({ engine }: { readonly engine: () => Engine }): void {
  const table = (name: string) => {
    const found = engine().catalog().connections.get('main')?.tables.get(name)
    if (found === undefined) throw new Error(`there is no table ${name}`)
    return found
  }
  const namesOf = (name: string, ordinals: readonly number[]) =>
    ordinals.map((ordinal) => table(name).columns[ordinal]?.name)

  test('tables and views are found', () => {
    expect(table('orders').kind).toBe('table')
    expect(table('customer_totals').kind).toBe('view')
  })

  test('columns come in order, with PostgreSQL types and nullability', () => {
    const { types } = engine().catalog().connections.get('main') ?? {}
    const columns = table('products').columns.map(({ name, type, nullable }) => [
      name,
      types?.formatType(type.oid, type.typmod),
      nullable,
    ])
    expect(columns).toEqual(
      expect.arrayContaining([
        ['id', 'integer', false],
        ['name', 'text', false],
        ['unit_price', 'numeric(10,2)', false],
        ['discontinued', 'boolean', false],
        ['weight_kg', 'double precision', true],
        ['created_at', 'timestamp without time zone', false],
        ['released_on', 'date', true],
        ['external_id', 'uuid', true],
      ]),
    )
    expect(columns[0]?.[0]).toBe('id')
    // The length limit may stay a matter of the database.
    const sku = columns.find(([name]) => name === 'sku')
    expect(['character varying(20)', 'text']).toContain(sku?.[1])
  })

  test('a column with a default says so', () => {
    const byName = new Map(table('products').columns.map((column) => [column.name, column]))
    expect(byName.get('units_in_stock')?.hasDefault).toBe(true)
    expect(byName.get('name')?.hasDefault).toBe(false)
  })

  test('primary keys, also of several columns', () => {
    expect(namesOf('orders', table('orders').primaryKey)).toEqual(['id'])
    expect(namesOf('order_items', table('order_items').primaryKey)).toEqual([
      'order_id',
      'product_id',
    ])
  })

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

  test('a junction is a many-to-many relation', () => {
    expect(table('products').relationships.get('tags')).toMatchObject({
      type: 'many-to-many',
      through: { table: 'product_tags', from: ['product_id'], to: ['tag_id'] },
    })
  })
}
