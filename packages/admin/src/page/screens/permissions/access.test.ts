import { expect, test } from 'vitest'
import { accessByCell, cellKey, sentenceOf } from './access.ts'
import type { MatrixEntry, PermissionMatrix } from './matrix-types.ts'

const entry = (over: Partial<MatrixEntry>): MatrixEntry => ({
  role: 'customer',
  table: 'main.orders',
  operation: 'select',
  grants: [{ permission: 'own', columns: ['id', 'status'] }],
  restrict: [],
  masked: [],
  ...over,
})
const matrixOf = (...entries: readonly MatrixEntry[]): PermissionMatrix => ({
  isOpen: false,
  roles: ['customer'],
  tables: ['main.orders'],
  entries,
})
const extentsOf = (...entries: readonly MatrixEntry[]) =>
  accessByCell(matrixOf(...entries)).get(cellKey('main.orders', 'customer'))?.extents

test('an operation without conditions is full, one without an entry is none', () => {
  expect(extentsOf(entry({}))).toEqual({
    select: 'full',
    insert: 'none',
    update: 'none',
    delete: 'none',
  })
})

test.each([
  { grants: [{ permission: 'own', where: 'id = 1' }] },
  { grants: [{ permission: 'own', limit: 10 }] },
  { grants: [{ permission: 'own', aggregate: false as const }] },
  { restrict: ['tenant = 1'] },
  { masked: [{ column: 'email', visibleWhen: 'false' }] },
])('%j is partial', (over) => {
  expect(extentsOf(entry(over))?.select).toBe('partial')
})

test('fewer columns than another operation has is partial', () => {
  const update = entry({
    operation: 'update',
    grants: [{ permission: 'own', columns: ['status'] }],
  })
  expect(extentsOf(entry({}), update)).toMatchObject({ select: 'full', update: 'partial' })
})

test('fewer columns than another role has is partial, too', () => {
  const more = entry({
    role: 'manager',
    grants: [{ permission: 'all', columns: ['id', 'a', 'b'] }],
  })
  expect(extentsOf(entry({}), more)?.select).toBe('partial')
})

test('a grant as a sentence', () => {
  const grant = { permission: 'own', columns: ['id'], where: 'customer_id = $user.id', limit: 5 }
  expect(sentenceOf(entry({ grants: [grant] }), grant)).toBe(
    'May read rows where customer_id = $user.id; with the columns id; at most 5 rows at a time.',
  )
})
