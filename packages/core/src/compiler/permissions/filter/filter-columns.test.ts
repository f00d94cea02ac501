import { expect, test } from 'vitest'
import { createFaults } from '../../../foundation/faults.ts'
import { shop } from '../test-support/authorize-for-test.ts'
import { columnsOf } from './filter-columns.ts'
import { parseFilter } from './parse-filter.ts'

const table = shop.table('orders')

function namesIn(input: unknown): readonly string[] {
  const faults = createFaults()
  const context = { connection: shop.connection, table, outer: undefined, faults }
  const columns = columnsOf(parseFilter(input, context, 'where'))
  expect(faults.list).toEqual([])
  return [...columns].toSorted((a, b) => a - b).map((column) => table.columns[column]?.name ?? '?')
}

const outer = (where: unknown) => ({ $exists: { table: 'main.members', where } })

test.each<[unknown, readonly string[]]>([
  [{}, []],
  [{ $or: [] }, []],
  [{ id: 1 }, ['id']],
  [{ id: { $col: 'customer_id' } }, ['id', 'customer_id']],
  [{ id: 1, status: 'x' }, ['id', 'status']],
  [{ $or: [{ id: 1 }, { status: 'x' }] }, ['id', 'status']],
  [{ $not: { status: 'x' } }, ['status']],
  [{ '$user.x': 1 }, []],
  [{ customer: { city: 'x', level: 1 } }, ['customer_id']],
  [{ tags: { $some: { name: 'x' } } }, ['id']],
  [outer({ tenant: { $outer: 'tenant' } }), ['tenant']],
  [outer({ tenant: { $outer: 'tenant' }, who: { $outer: 'notes' } }), ['notes', 'tenant']],
  [
    outer({ $or: [{ tenant: { $outer: 'tenant' } }, { who: { $outer: 'notes' } }] }),
    ['notes', 'tenant'],
  ],
  [outer({ $not: { who: { $outer: 'notes' } } }), ['notes']],
  [outer({ who: 'x' }), []],
  [outer({}), []],
])('%j', (input, expected) => expect(namesIn(input)).toEqual(expected))

test('a filter that cannot be known looks at nothing', () => {
  expect(columnsOf({ kind: 'unknown' })).toEqual(new Set())
  expect(columnsOf({ kind: 'false' })).toEqual(new Set())
  expect(() => columnsOf({ kind: 'nonsense' } as never)).toThrow('unreachable')
})
