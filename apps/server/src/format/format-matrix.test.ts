import type { PermissionMatrix } from '@engine/contract/admin-api'
import { diffMatrices, parseConfig, permissionMatrix } from '@engine/core/server'
import { expect, test } from 'vitest'
import { formatMatrix, formatMatrixDiff } from './format-matrix.ts'

function matrixOf(permissions: object): PermissionMatrix {
  const auth = { secret: 'a secret of at least thirty-two bytes' }
  return permissionMatrix(parseConfig({ connections: { main: 'shop.db' }, auth, permissions }))
}

test('everything that restricts a grant is printed', () => {
  const matrix = matrixOf({
    all: { table: 'main.orders', roles: ['*'], select: { columns: ['id'], limit: 5 } },
    own: {
      table: 'main.orders',
      roles: ['clerk'],
      restrict: { deleted: false },
      select: { columns: ['id', 'total'], where: { clerk: '$user.id' }, aggregate: false },
      delete: { where: { clerk: '$user.id' } },
    },
    tags: { table: 'main.tags', roles: ['clerk'], insert: {}, update: { check: { used: false } } },
  })
  expect(formatMatrix(matrix)).toBe(`* (any authenticated caller)
  main.orders
    select  (id), all rows, at most 5 rows
  nothing on main.tags

clerk
  main.orders
    select  (id), all rows, at most 5 rows
            (id, total), where clerk = $user.id, no aggregates
            total is null unless clerk = $user.id
            only where deleted = false
    delete  where clerk = $user.id
            only where deleted = false
  main.tags
    insert  *, any row
    update  *, all rows, check used = false
`)
})

test('nothing is told as such', () => {
  const none = { name: 'a.json', matrix: matrixOf({}) }
  expect(formatMatrix(none.matrix)).toBe('No permissions.\n')
  expect(formatMatrixDiff([], none, none)).toBe('No difference.\n')
})

test('that everyone may do everything is printed first', () => {
  const connections = { main: 'shop.db' }
  const open = { name: 'a.json', matrix: permissionMatrix(parseConfig({ connections })) }
  const closed = { name: 'b.json', matrix: matrixOf({}) }
  expect(formatMatrix(open.matrix)).toMatch(/^Open mode: .* everyone may do everything\.\n/)
  expect(formatMatrixDiff([], open, closed)).toMatch(/^- Open mode:/m)
  expect(formatMatrixDiff([], closed, open)).toMatch(/^\+ Open mode:/m)
  expect(formatMatrixDiff([], open, open)).toBe('No difference.\n')
})

test('a difference shows the lines that differ, and no other', () => {
  const select = { columns: ['id', 'total'], where: { clerk: '$user.id' } }
  const before = matrixOf({ own: { table: 'main.orders', roles: ['clerk'], select } })
  const after = matrixOf({
    own: { table: 'main.orders', roles: ['clerk'], restrict: { deleted: false }, select },
  })
  const [a, b] = [
    { name: 'a.json', matrix: before },
    { name: 'b.json', matrix: after },
  ]
  expect(formatMatrixDiff(diffMatrices(before, after), a, b)).toBe(`--- a.json
+++ b.json

clerk: select main.orders
+ only where deleted = false
`)
})
