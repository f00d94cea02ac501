import { renderInSteps, runSteps } from '@engine/core/print'
import { expect, test } from 'vitest'
import type { PrintContext } from './print-context.ts'
import { addedColumns, printTraversal } from './print-traversal.ts'

const yes = { kind: 'constant', value: 't', type: { oid: 16, typmod: -1 } } as const
const both = {
  order: { kind: 'depth', by: [1, 0] },
  marks: { by: [0], value: yes, otherwise: yes },
} as const

const printed = (serverVersion: number | undefined) => {
  const context = { serverVersion } as PrintContext
  const placeholders = { kind: 'numbered', prefix: '$' } as const
  return runSteps(renderInSteps(printTraversal(both, 2, context), placeholders)).text
}

test('the added columns follow those of the query', () => {
  expect(addedColumns(both)).toBe(3)
  expect(printed(undefined)).toBe('search depth first by c2, c1 set c3 cycle c1 set c4 using c5')
})

test('PostgreSQL before 14 has none', () => {
  expect(printed(140_000)).toContain('search')
  expect(() => printed(130_012)).toThrow('not supported on PostgreSQL before 14')
})
