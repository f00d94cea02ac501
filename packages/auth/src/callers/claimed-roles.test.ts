import { expect, test } from 'vitest'
import { ownPath } from '../tokens/identifier.ts'
import { claimedRoles } from './claimed-roles.ts'

test.each<[string, object, readonly string[] | undefined]>([
  ['a list', { roles: ['clerk', 'boss'] }, ['clerk', 'boss']],
  ['a text', { roles: 'clerk' }, ['clerk']],
  ['a list and one more', { roles: ['clerk'], role: 'boss' }, ['clerk', 'boss']],
  ['one twice', { roles: ['clerk', 'clerk'], role: 'clerk' }, ['clerk']],
  ['none', {}, undefined],
  ['an empty list', { roles: [] }, []],
  ['null', { roles: null }, []],
  [
    'no texts',
    { roles: [1, { admin: true }, null, ['admin'], 'clerk'], role: ['admin'] },
    ['clerk'],
  ],
  ['an object', { roles: { 0: 'admin' } }, []],
])('%s', (_, claims, roles) => {
  expect(claimedRoles({ ...claims }, ['roles'])).toEqual(roles)
})

test('the claim may be deep, or have a URL for a name', () => {
  expect(claimedRoles({ realm: { access: ['clerk'] } }, ['realm', 'access'])).toEqual(['clerk'])
  const name = 'https://shop.test/roles'
  expect(claimedRoles({ [name]: ['clerk'] }, [name])).toEqual(['clerk'])
})

test('a path cannot leave what the token says', () => {
  for (const path of [['constructor', 'name'], ['__proto__'], ['toString']]) {
    expect(ownPath({ roles: ['x'] }, path)).toBeUndefined()
  }
})
