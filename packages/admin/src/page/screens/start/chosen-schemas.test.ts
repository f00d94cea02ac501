import { expect, test } from 'vitest'
import { isOffered, withSchemas } from './chosen-schemas.ts'

const publicSchema = { name: 'public', tables: 2 }
const billing = { name: 'billing', tables: 1 }

test.each([
  [[], [], 'url'],
  [[publicSchema], ['public'], 'url'],
  [[publicSchema, billing], ['public'], 'url'],
  [[publicSchema, billing], [], 'url'],
  [[publicSchema, billing], ['billing'], { url: 'url', schemas: ['billing'] }],
  [[publicSchema, billing], ['public', 'billing'], { url: 'url', schemas: ['public', 'billing'] }],
  [[billing], ['billing'], { url: 'url', schemas: ['billing'] }],
])('of %j, %j make %j', (found, chosen, connection) => {
  expect(withSchemas('url', found, chosen)).toEqual(connection)
})

test('public alone is not offered', () => {
  expect([isOffered([publicSchema]), isOffered([publicSchema, billing])]).toEqual([false, true])
})
