import { type Column, oids } from '@engine/core/catalog'
import type { CellKind } from '@engine/core/values'
import { expect, test } from 'vitest'
import { type ColumnDescription, createColumnGuard } from './column-guard.ts'

const [tiny, long, varchar, datetime] = [1, 3, 253, 12]
const column = (columnType: number, isCalculated = false): ColumnDescription => ({
  columnType,
  isCalculated,
  isUnsigned: false,
  isBinary: false,
  decimals: 0,
  width: columnType === tiny ? 4 : 0,
})

test.each<[CellKind, number]>([
  [{ kind: 'integer' }, long],
  [{ kind: 'boolean' }, tiny],
  [{ kind: 'bigint' }, long],
  [{ kind: 'decimal', scale: 2 }, varchar],
  [{ kind: 'text' }, varchar],
  [{ kind: 'uuid' }, varchar],
  [{ kind: 'timestamptz' }, datetime],
])('%j may be of type %i', (cell, type) => {
  expect(createColumnGuard([cell], [], undefined)([column(type)])).toBe(true)
})

test('a difference counts until the catalog has been read again after it', () => {
  const reading = { beganAt: 0 }
  const accepts = createColumnGuard([{ kind: 'integer' }, { kind: 'integer' }], [], reading)

  expect(accepts([column(varchar), column(long)])).toBe(false)
  expect(accepts([column(varchar), column(long)])).toBe(false)
  reading.beganAt = performance.now() + 1
  expect(accepts([column(varchar), column(long)])).toBe(true)
  expect(accepts([column(long), column(long)])).toBe(true)
  reading.beganAt = 0
  expect(accepts([column(long), column(datetime)])).toBe(false)
})

test('a column of a table has exactly its type', () => {
  const stored = {
    type: { oid: oids.bool, typmod: -1 },
    native: { dataType: 'tinyint' },
  } as unknown as Column
  const accepts = createColumnGuard([{ kind: 'boolean' }], [stored], undefined)

  expect(accepts([{ ...column(tiny), width: 1 }])).toBe(true)
  expect(accepts([column(tiny)])).toBe(false)
  expect(accepts([column(long)])).toBe(false)
})

test('what is calculated has whatever type the server gives it', () => {
  const accepts = createColumnGuard([{ kind: 'integer' }], [], undefined)

  expect(accepts([column(varchar, true)])).toBe(true)
})
