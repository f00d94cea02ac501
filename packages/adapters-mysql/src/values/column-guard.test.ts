import type { CellKind } from '@engine/core/values'
import { expect, test } from 'vitest'
import { createColumnGuard } from './column-guard.ts'

const [tiny, long, varchar, datetime] = [1, 3, 253, 12]
const column = (columnType: number, isCalculated = false) => ({ columnType, isCalculated })

test.each<[CellKind, number]>([
  [{ kind: 'integer' }, long],
  [{ kind: 'boolean' }, tiny],
  [{ kind: 'bigint' }, long],
  [{ kind: 'decimal', scale: 2 }, varchar],
  [{ kind: 'text' }, varchar],
  [{ kind: 'uuid' }, varchar],
  [{ kind: 'timestamptz' }, datetime],
])('%j may be of type %i', (cell, type) => {
  expect(() => createColumnGuard([cell], `may ${cell.kind}`)([column(type)])).not.toThrow()
})

test('a column that has become another is told once, until it is as expected', () => {
  const guard = createColumnGuard([{ kind: 'integer' }, { kind: 'integer' }], 'select age, id')

  expect(() => guard([column(varchar), column(long)])).toThrow(
    expect.objectContaining({ problem: 'staleCatalog' }),
  )
  expect(() => guard([column(varchar), column(long)])).not.toThrow()
  expect(() => guard([column(long), column(long)])).not.toThrow()
  expect(() => guard([column(varchar), column(long)])).toThrow(
    expect.objectContaining({ problem: 'staleCatalog' }),
  )
})

test('what is calculated has whatever type the server gives it', () => {
  const guard = createColumnGuard([{ kind: 'integer' }], 'select calculated')

  expect(() => guard([column(varchar, true)])).not.toThrow()
})
