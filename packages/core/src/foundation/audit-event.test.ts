import { expect, test } from 'vitest'
import { callerName } from './audit-event.ts'
import { admin, anonymous } from './caller.ts'

const user = (id: string) => ({ kind: 'user', id, roles: [], fields: {} }) as const

test.each([
  [admin, 'admin', 'admin'],
  [admin, 'http', 'admin'],
  [admin, 'system', 'system'],
  [anonymous, 'http', 'anonymous'],
  [user('7'), 'http', '7'],
  [user('admin'), 'http', 'user:admin'],
  [user('system'), 'system', 'user:system'],
  [user('anonymous'), 'pgwire', 'user:anonymous'],
])('%o by way of %s is %s', (caller, via, name) => {
  expect(callerName(caller, via)).toBe(name)
})
