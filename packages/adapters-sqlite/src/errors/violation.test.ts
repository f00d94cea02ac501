import { expect, test } from 'vitest'
import { violationOf } from './violation.ts'

test.each([
  [
    'UNIQUE constraint failed: tags.id',
    true,
    { table: 'tags', columns: ['id'], constraint: 'tags_pkey' },
  ],
  [
    'UNIQUE constraint failed: t.a, t.b c',
    false,
    { table: 't', columns: ['a', 'b c'], constraint: 't_a_b c_key' },
  ],
  ['UNIQUE constraint failed: tags.id', undefined, { table: 'tags', columns: ['id'] }],
  ['NOT NULL constraint failed: tags.name', undefined, { table: 'tags', column: 'name' }],
  [
    `UNIQUE constraint failed: ${'t'.repeat(60)}.a`,
    false,
    { table: 't'.repeat(60), columns: ['a'] },
  ],
  ['CHECK constraint failed: positive', undefined, { constraint: 'positive' }],
  ['CHECK constraint failed: unit_price >= 0', undefined, {}],
])('%s', (message, isPrimaryKey, violation) => {
  expect(violationOf(message, isPrimaryKey)).toEqual(violation)
})

test.each([
  'UNIQUE constraint failed: a.b.c',
  "UNIQUE constraint failed: index 'lower_name'",
  'FOREIGN KEY constraint failed',
  'database is locked',
])('%s tells nothing that is sure', (message) => {
  expect(violationOf(message, true)).toBeUndefined()
})
