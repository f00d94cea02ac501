import { expect, test } from 'vitest'
import { declarationOf } from './column-type.ts'
import { observeColumn } from './infer-column.ts'

function declarationFor(cells: readonly string[]): string {
  const observer = observeColumn()
  for (const cell of cells) observer.see(cell)
  return declarationOf(observer.result().type)
}

test.each([
  [['1', '-2', '0'], 'INTEGER'],
  [['1', '2147483647'], 'INTEGER'],
  [['1', '2147483648'], 'BIGINT'],
  [['9223372036854775807'], 'BIGINT'],
  [['9223372036854775808'], 'DECIMAL TEXT(19,0)'],
  [['1.50', '20.25'], 'DECIMAL(15,2)'],
  [['1.5', '20.25', '3'], 'DECIMAL TEXT'],
  [['1234567890123456.50'], 'DECIMAL TEXT(18,2)'],
  [['1e5', '2'], 'DOUBLE'],
  [['007', '1'], 'TEXT'],
  [['+1'], 'TEXT'],
  [['true', 'FALSE'], 'BOOLEAN'],
  [['true', '1'], 'TEXT'],
  [['2024-02-29', '1999-12-31'], 'DATE'],
  [['2023-02-29'], 'TEXT'],
  [['2024-01-31', '2024-01-31 10:00'], 'TIMESTAMP'],
  [['2024-01-31T10:00:00.5'], 'TIMESTAMP'],
  [['2024-01-31 25:00:00'], 'TEXT'],
  [['2024-01-31T10:00:00Z', '2024-01-31 10:00:00+02:00'], 'TIMESTAMPTZ'],
  [['2024-01-31T10:00:00Z', '2024-01-31'], 'TEXT'],
  [['{"a":1}', '[1]'], 'JSON'],
  [['{"a":1', '[1]'], 'TEXT'],
  [['', '5', ''], 'INTEGER'],
  [['', ''], 'TEXT'],
  [[], 'TEXT'],
  [['NaN', '1'], 'TEXT'],
])('%j: %s', (cells, expected) => {
  expect(declarationFor(cells)).toBe(expected)
})

test('an empty value is NULL', () => {
  const observer = observeColumn()
  observer.see('')
  expect(observer.result()).toMatchObject({ hasNull: true, hasValue: false })
  observer.see('x')
  expect(observer.result()).toMatchObject({ hasNull: true, hasValue: true })
})
