import { expect, test } from 'vitest'
import { applies } from './roles.ts'

test.each<[readonly string[], readonly string[], boolean, boolean]>([
  [['clerk'], ['clerk'], true, true],
  [['clerk'], ['clerk'], false, true],
  [['boss', 'clerk'], ['guest', 'clerk'], true, true],
  [['clerk'], ['Clerk', 'clerk ', 'cler', 'clerks', ''], true, false],
  [['*'], [], true, true],
  [['*'], ['*'], false, false],
  [['clerk'], ['*'], true, false],
  [[], ['clerk'], true, false],
])('%j for a caller with %j, proven: %j', (granted, roles, isAuthenticated, expected) => {
  expect(applies(granted, roles, isAuthenticated)).toBe(expected)
})
