import { expect, test } from 'vitest'
import { patchDocument } from './patch-document.ts'

const document = {
  connections: { main: { url: 'shop.db', readOnly: true } },
  permissions: { a: { table: 'main.a', roles: ['r'], select: {} }, b: { table: 'main.b' } },
  security: { headers: { a: '1' }, trustProxy: 1 },
}

test('named entries are replaced as a whole; null removes one, but is a value inside of one', () => {
  const select = { where: { deleted_at: null } }
  const patch = {
    connections: { main: { url: 'other.db' } },
    permissions: { a: { table: 'main.a', roles: ['s'], select }, b: null },
  }
  expect(patchDocument(document, patch)).toEqual({
    ...document,
    connections: { main: { url: 'other.db' } },
    permissions: { a: { table: 'main.a', roles: ['s'], select } },
  })
})

test('other options are merged', () => {
  const patch = { security: { headers: { b: '2' }, trustProxy: null }, limits: { maxRows: 5 } }
  expect(patchDocument(document, patch)).toEqual({
    ...document,
    security: { headers: { a: '1', b: '2' } },
    limits: { maxRows: 5 },
  })
  expect(patchDocument(document, { security: null })).not.toHaveProperty('security')
})
