import type { RelationshipDescription } from '@engine/contract'
import { expect, test } from 'vitest'
import { diagramOf } from './diagram.ts'

const relation = (
  table: string,
  type: RelationshipDescription['type'],
): RelationshipDescription => ({ table, type, from: 'id', to: ['a', 'b'] })

test('many rows stand on the left, one row on the right, and nothing overlaps', () => {
  const { nodes, height, more } = diagramOf({
    items: relation('main.items', 'one-to-many'),
    tags: relation('main.tags', 'many-to-many'),
    customer: relation('main.customers', 'many-to-one'),
  })
  expect(more).toBe(0)
  expect(nodes.map(({ relation: name, x, ends }) => [name, x === 0, ends])).toEqual([
    ['items', true, 'n : 1'],
    ['tags', true, 'n : n'],
    ['customer', false, 'n : 1'],
  ])
  const [items, tags, customer] = nodes.map(({ y }) => y)
  expect((tags ?? 0) - (items ?? 0)).toBeGreaterThanOrEqual(44)
  expect((customer ?? 0) + 22).toBe(height / 2)
  expect(nodes[0]?.columns).toBe('id → a, b')
})

test('a table with very many relations shows some, and says how many there are', () => {
  const many = Array.from({ length: 30 }, (_, i) => [`r${i}`, relation(`t${i}`, 'one-to-many')])
  const { nodes, more } = diagramOf(Object.fromEntries(many))
  expect([nodes.length, more]).toEqual([10, 20])
  expect(diagramOf({})).toMatchObject({ nodes: [], more: 0 })
})
