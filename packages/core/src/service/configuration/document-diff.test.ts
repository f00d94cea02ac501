import { expect, test } from 'vitest'
import { changesBetween, shownChanges, withoutChanges } from './document-diff.ts'

const first = {
  connections: { main: 'postgres://shop:one@db.test/shop' },
  limits: { maxRows: 5, queryTimeout: 100 },
}
const second = {
  connections: { main: 'postgres://shop:two@db.test/shop' },
  limits: { maxRows: 6, queryTimeout: 100 },
  permissions: { a: { table: 'main.a', roles: ['r'] } },
}

test('changes are shown by path, without secrets', () => {
  expect(shownChanges(first, second)).toEqual([
    {
      path: 'connections.main',
      before: 'postgres://shop:***@db.test/shop',
      after: 'postgres://shop:***@db.test/shop',
      isSecret: true,
    },
    { path: 'limits.maxRows', before: 5, after: 6 },
    { path: 'permissions', after: { a: { table: 'main.a', roles: ['r'] } } },
  ])
  expect(shownChanges(second, second)).toEqual([])
})

test('changes are taken back, and keep what changed elsewhere since', () => {
  const changes = changesBetween(first, second)
  expect(withoutChanges(second, changes)).toEqual({ document: first, conflicts: [] })
  const later = { ...second, limits: { ...second.limits, queryTimeout: 200 }, audit: {} }
  expect(withoutChanges(later, changes)).toEqual({
    document: { ...first, limits: { maxRows: 5, queryTimeout: 200 }, audit: {} },
    conflicts: [],
  })
})

test('an option that has changed again since is a conflict', () => {
  const changes = changesBetween(first, second)
  const later = { ...second, limits: { maxRows: 7, queryTimeout: 100 } }
  expect(withoutChanges(later, changes).conflicts).toEqual(['limits.maxRows'])
})
