import { expect, test } from 'vitest'
import { admin, anonymous, type Caller } from '../../foundation/caller.ts'
import { mayRun } from './action-rights.ts'

const user = (...roles: readonly string[]): Caller => ({ kind: 'user', id: 'u', roles, fields: {} })

test.each<[string, Caller, readonly string[], boolean]>([
  ['a role of the action', user('a', 'b'), ['b'], true],
  ['no role of the action', user('a'), ['b'], false],
  ['no role at all', user(), ['b'], false],
  ['another case', user('B'), ['b'], false],
  ['any user for *', user(), ['*'], true],
  ['a user called *', user('*'), ['b'], false],
  ['a user called * for * and another', user('*'), ['*', 'b'], true],
  ['nobody for *', anonymous, ['*'], false],
  ['nobody for anonymous', anonymous, ['anonymous'], true],
  ['nobody who claims *', { ...anonymous, roles: ['*'] }, ['*'], false],
  ['the administrator', admin, ['b'], true],
])('%s', (_name, caller, roles, may) => {
  expect(mayRun({ roles }, caller)).toBe(may)
})
