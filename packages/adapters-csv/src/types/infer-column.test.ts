import { noTypmod, oids, readDateTime } from '@engine/core/values'
import { expect, test } from 'vitest'
import { declarationOf, storedText, timestampPattern, timestamptzPattern } from './column-type.ts'
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

const moments = [
  ...['2024-02-29 23:59:59', '2024-02-29T00:00:00', '2024-02-29 10:30', '2024-02-29 10:30:00.500'],
  ...[
    '2024-02-29T10:30:00.000',
    '2024-02-29 10:30:00.123456',
    '2024-12-31 24:00:00',
    '2024-12-31 23:59:60',
  ],
  ...['2023-02-29 10:30:00', '2024-02-28 25:00:00', '2024-02-28 1a:00:00', '2024-02-28x10:00:00'],
  ...[
    '2024-02-28 10:00:00.1234567',
    '2024-02-28 10:00:00.',
    '2024-02-28 10:00:00x',
    '0000-01-01 00:00:00',
  ],
]

test.each(moments)('%s is stored as PostgreSQL reads it, with a zone and without', (cell) => {
  const read = (oid: number, text: string, pattern: RegExp) => {
    const result = readDateTime(oid, noTypmod, text)
    return pattern.test(text) && result.ok ? result.value : undefined
  }
  expect(storedText(cell, { kind: 'timestamp', digits: undefined })).toBe(
    read(oids.timestamp, cell, timestampPattern),
  )
  for (const zone of ['Z', '+00', '+02:30']) {
    expect(storedText(cell + zone, { kind: 'timestamptz', digits: undefined })).toBe(
      read(oids.timestamptz, cell + zone, timestamptzPattern),
    )
  }
})
