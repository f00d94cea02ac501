/** @module Random rows of the tables of the comparison. */
import fc from 'fast-check'
import type { Row, TableModel, Type, Value } from './shapes.ts'

export type Schema = Readonly<Record<string, TableModel>>

/** The time of the request; rows and filters use times around it. */
export const now: number = Date.UTC(2026, 5, 15, 12)

export const words: readonly string[] = ['a', 'b', 'ab', 'ba', '', 'new']
const moments = ['2026-05-01 00:00:00', '2026-06-15 12:00:00', '2026-06-20 08:30:00'] as const
const documents = [{ a: 1 }, { a: 1, b: 'x' }, { a: { b: 1 } }, [1, 'a'], ['a'], 'a', 1, true, {}]

/** A small set of values, so that equal ones occur. */
export const anyOfType: Readonly<Record<Type, fc.Arbitrary<Value>>> = {
  int4: fc.integer({ min: 0, max: 5 }),
  numeric: fc.integer({ min: 0, max: 5 }),
  text: fc.constantFrom<Value[]>(...words),
  bool: fc.boolean(),
  timestamp: fc.constantFrom<Value[]>(...moments),
  jsonb: fc.constantFrom<Value[]>(...documents),
  'text[]': fc.subarray([...words]),
}

export const columnsOf = (schema: Schema, table: string): readonly (readonly [string, Type])[] =>
  Object.entries(schema[table]?.columns ?? {})

/** Rows with valid references. */
export function rowsOf(schema: Schema): fc.Arbitrary<Readonly<Record<string, readonly Row[]>>> {
  const rows = (table: string, max: number) =>
    fc
      .array(fc.record(cells(schema, table)), { maxLength: max })
      .map((list) => list.map((row, i): Row => ({ ...row, id: i })))
  return fc
    .record({
      customers: rows('customers', 4),
      orders: rows('orders', 5),
      tags: rows('tags', 3),
      order_tags: rows('order_tags', 5),
    })
    .map((found) => {
      const known = (table: keyof typeof found, id: Value | undefined) =>
        found[table].some((row) => row['id'] === id) ? (id ?? null) : null
      const orders = found.orders.map(
        (row): Row => ({ ...row, customer_id: known('customers', row['customer_id']) }),
      )
      const pairs = found.order_tags.map(
        (row): Row => ({
          ...row,
          order_id: known('orders', row['order_id']),
          tag_id: known('tags', row['tag_id']),
        }),
      )
      const isFirst = (row: Row, i: number) =>
        pairs.findIndex(
          (p) => p['order_id'] === row['order_id'] && p['tag_id'] === row['tag_id'],
        ) === i
      return { ...found, orders, order_tags: pairs.filter(isFirst) }
    })
}

/** By column: any value of its type, sometimes NULL. */
export function cells(schema: Schema, table: string): Record<string, fc.Arbitrary<Value>> {
  const entries = columnsOf(schema, table).map(([name, type]) => [
    name,
    fc.option(anyOfType[type], { freq: 5 }),
  ])
  return Object.fromEntries(entries)
}
