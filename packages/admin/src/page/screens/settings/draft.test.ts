import type { ShownAction, ShownOption } from '@engine/contract/admin-api'
import { expect, test } from 'vitest'
import { patchOf, readValue, settingsDraftIn, textOf, withAction, withText } from './draft.ts'

const option = (path: string, value: unknown, builtIn: unknown = null): ShownOption => ({
  path,
  value: value ?? builtIn,
  source: value === null ? 'built-in' : 'stored',
  code: null,
  builtIn,
  isFixed: false,
})
const options = [
  option('limits.maxRows', 500, 10_000),
  option('limits.rateLimitPerUser', null),
  option('security.cors.origin', ['https://a.example']),
  option('security.cors.credentials', true, false),
  option('security.headers', { 'X-Old': '1', 'X-Kept': '2' }, {}),
  option('security.trustProxy', null, []),
  option('schemaEndpoint.enabled', true, false),
  option('schemaEndpoint.token', null),
]
const restock: ShownAction = {
  name: 'restock',
  description: null,
  isEnabled: true,
  roles: ['manager'],
  source: 'code',
  codeRoles: ['manager'],
}
const patch = (draft: readonly (readonly [string, string | null])[]) =>
  patchOf(options, new Map(draft), [restock], new Map())

test('texts and values are two forms of one thing', () => {
  expect(textOf('list', ['a', 'b'])).toBe('a\nb')
  expect(readValue('list', ' a, b\n\nc ')).toEqual(['a', 'b', 'c'])
  expect(textOf('headers', { 'X-Robots-Tag': 'none' })).toBe('X-Robots-Tag: none')
  expect(readValue('headers', 'Link: <https://a.example>; rel=next')).toEqual({
    Link: '<https://a.example>; rel=next',
  })
  expect(readValue('proxies', '2')).toBe(2)
  expect(readValue('proxies', '10.0.0.0/8')).toEqual(['10.0.0.0/8'])
  expect(readValue('count', '')).toBeNull()
  expect(() => readValue('count', '1e3')).toThrow('whole number')
})

test('a change has the edited options only, null for the built-in default', () => {
  expect(
    patch([
      ['limits.maxRows', null],
      ['limits.rateLimitPerUser', '60'],
    ]),
  ).toEqual({
    patch: { limits: { maxRows: null, rateLimitPerUser: 60 } },
    faults: new Map(),
  })
  expect(patch([['limits.maxRows', 'many']]).faults).toEqual(
    new Map([['limits.maxRows', 'Write a whole number.']]),
  )
})

test('CORS without origins is off; with them it stays whole', () => {
  expect(patch([['security.cors.origin', '']]).patch).toEqual({ security: { cors: null } })
  expect(patch([['security.cors.credentials', 'false']]).patch).toEqual({
    security: { cors: { credentials: false, origin: ['https://a.example'] } },
  })
})

test('a header that is left out is removed', () => {
  expect(patch([['security.headers', 'X-Kept: 2\nX-New: 3']]).patch).toEqual({
    security: { headers: { 'X-Old': null, 'X-Kept': '2', 'X-New': '3' } },
  })
})

test('a token leaves the schema endpoint on', () => {
  expect(patch([['schemaEndpoint.token', 'another']]).patch).toEqual({
    schemaEndpoint: { enabled: true, token: 'another' },
  })
})

test('what is as before is no change', () => {
  const [maxRows, perUser] = options as [ShownOption, ShownOption]
  expect(withText(new Map(), maxRows, '500')).toEqual(new Map())
  expect(withText(new Map([['limits.maxRows', '7']]), maxRows, '500')).toEqual(new Map())
  expect(withText(new Map(), perUser, null)).toEqual(new Map())
  expect(withText(new Map(), maxRows, null)).toEqual(new Map([['limits.maxRows', null]]))
})

test('a switch of an action is what differs from the code', () => {
  const switched = (edited: Pick<ShownAction, 'isEnabled' | 'roles'>, action = restock) =>
    patchOf([], new Map(), [action], withAction(new Map(), action, edited)).patch
  expect(switched({ isEnabled: true, roles: ['manager'] })).toEqual({})
  expect(switched({ isEnabled: false, roles: ['manager'] })).toEqual({
    actions: { restock: { enabled: false } },
  })
  expect(switched({ isEnabled: true, roles: ['manager', 'support'] })).toEqual({
    actions: { restock: { roles: ['manager', 'support'] } },
  })
  const off: ShownAction = { ...restock, isEnabled: false, source: 'stored' }
  expect(switched({ isEnabled: true, roles: ['manager'] }, off)).toEqual({
    actions: { restock: null },
  })
})

test('edits that were kept as JSON are those of before; anything else is none', () => {
  const options = new Map([['limits.maxRows', '7']])
  const actions = new Map([['restock', { isEnabled: false, roles: [] }]])
  const kept = JSON.parse(JSON.stringify({ options: [...options], actions: [...actions] }))
  expect(settingsDraftIn(kept)).toEqual({ options, actions })
  expect(settingsDraftIn({ options: [['limits.maxRows']], actions: [] })).toBeUndefined()
  expect(settingsDraftIn('text')).toBeUndefined()
})
